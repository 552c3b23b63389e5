// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sinew::physics {

/// A scene with some of everything that physics knows.
inline constexpr const char* kEverything = R"(#usda 1.0
(
    metersPerUnit = 0.5
    kilogramsPerUnit = 2
    upAxis = "Y"
)
def PhysicsScene "Scene" (apiSchemas = ["NewtonSceneAPI"]) {
    vector3f physics:gravityDirection = (0, -2, 0)
    float physics:gravityMagnitude = 5
    int newton:timeStepsPerSecond = 500
}
def Material "Rubber" (apiSchemas = ["PhysicsMaterialAPI", "PhysxMaterialAPI"]) {
    float physics:staticFriction = 0.75
    float physics:dynamicFriction = 0.5
    float physics:restitution = 0.25
    float physics:density = 3
    uniform token physxMaterial:frictionCombineMode = "min"
}
def Cube "Base" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI", "PhysicsArticulationRootAPI", "MaterialBindingAPI", "PhysicsFilteredPairsAPI"]) {
    double size = 1.5
    float physics:mass = 4
    point3f physics:centerOfMass = (0.1, 0.2, 0.3)
    float3 physics:diagonalInertia = (0.5, 0.6, 0.7)
    quatf physics:principalAxes = (1, 0, 0, 0)
    bool physics:startsAsleep = 1
    rel material:binding:physics = </Rubber>
    rel physics:filteredPairs = </Arm>
    rel physics:simulationOwner = </Scene>
    float3 xformOp:scale = (2, 2, 2)
    uniform token[] xformOpOrder = ["xformOp:scale"]
}
def Xform "Arm" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysxRigidBodyAPI", "NewtonMassAPI"]) {
    vector3f physics:velocity = (1, 2, 3)
    vector3f physics:angularVelocity = (4, 5, 6)
    bool physics:kinematicEnabled = 0
    float physxRigidBody:linearDamping = 0.5
    bool physxRigidBody:disableGravity = 1
    float[] newton:inertia = [1, 2, 3, 0.1, 0.2, 0.3]
    double3 xformOp:translate = (3, 0, 0)
    float3 xformOp:rotateXYZ = (0, 0, 30)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"]
    def Capsule "Capsule" (apiSchemas = ["PhysicsCollisionAPI", "NewtonCollisionAPI"]) {
        uniform token axis = "X"
        double radius = 0.5
        double height = 2
        float newton:contactMargin = 0.25
    }
    def Mesh "Mesh" (apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI", "PhysicsMassAPI"]) {
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
        int[] faceVertexCounts = [3, 3, 3, 3]
        int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
        uniform token subdivisionScheme = "none"
        uniform token physics:approximation = "convexHull"
        float physics:density = 8
    }
    def Points "Points" (apiSchemas = ["PhysicsCollisionAPI"]) {
        point3f[] points = [(0, 0, 0), (1, 0, 0)]
        float[] widths = [0.5, 0.25]
        bool physics:collisionEnabled = 0
    }
}
def PhysicsRevoluteJoint "Hinge" (apiSchemas = ["PhysicsDriveAPI:angular", "PhysicsJointStateAPI:angular", "NewtonJointAPI"]) {
    rel physics:body0 = </Base>
    rel physics:body1 = </Arm>
    point3f physics:localPos0 = (1, 0, 0)
    quatf physics:localRot1 = (1, 0, 0, 0)
    uniform token physics:axis = "Z"
    float physics:lowerLimit = -90
    float physics:upperLimit = 45
    float physics:breakForce = 100
    bool physics:collisionEnabled = 1
    uniform token drive:angular:physics:type = "acceleration"
    float drive:angular:physics:maxForce = 9
    float drive:angular:physics:targetPosition = 10
    float drive:angular:physics:targetVelocity = 20
    float drive:angular:physics:stiffness = 30
    float drive:angular:physics:damping = 40
    float state:angular:physics:position = 5
    float newton:armature = 0.125
    float mjc:springref = 3
    float mjc:armatur = 4
}
def Sphere "Bob" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {
    double3 xformOp:translate = (6, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
def PhysicsJoint "Free" (apiSchemas = ["PhysicsLimitAPI:transX", "PhysicsLimitAPI:rotY", "PhysicsDriveAPI:transZ"]) {
    rel physics:body0 = </Arm>
    rel physics:body1 = </Bob>
    float limit:transX:physics:low = -1
    float limit:transX:physics:high = 2
    float limit:rotY:physics:low = 1
    float limit:rotY:physics:high = -1
    float drive:transZ:physics:stiffness = 3
}
def PhysicsDistanceJoint "Rope" {
    rel physics:body1 = </Bob>
    float physics:minDistance = 1
    float physics:maxDistance = 9
    bool physics:excludeFromArticulation = 1
}
def PhysicsSphericalJoint "Ball" (apiSchemas = ["NewtonMimicAPI"]) {
    rel physics:body0 = </Base>
    rel physics:body1 = </Bob>
    float physics:coneAngle0Limit = 30
    float physics:coneAngle1Limit = 60
    bool physics:jointEnabled = 0
}
def PhysicsPrismaticJoint "Slide" (apiSchemas = ["NewtonMimicAPI"]) {
    rel physics:body1 = </Bob>
    uniform token physics:axis = "Y"
    rel newton:mimicJoint = </Hinge>
    float newton:mimicCoef0 = 1
    float newton:mimicCoef1 = 2
}
def PhysicsFixedJoint "Weld" {
    rel physics:body0 = </Base>
    rel physics:body1 = </Bob>
    quatf physics:localRot1 = (0.96, 0, 0.28, 0)
    point3f physics:localPos1 = (0, 0.5, 0)
    bool physics:excludeFromArticulation = 1
}
def PhysicsCollisionGroup "Group" {
    rel collection:colliders:includes = [</Base>, </Arm/Mesh>]
    rel physics:filteredGroups = </Group>
    string physics:mergeGroup = "all"
    bool physics:invertFilteredGroups = 1
}
def Plane "Floor" (apiSchemas = ["PhysicsCollisionAPI"]) {
    uniform token axis = "Y"
}
def MjcActuator "Motor" {
    rel mjc:target = </Hinge>
    double[] mjc:gear = [5, 0, 0]
    double mjc:ctrlRange:min = -1
    double mjc:ctrlRange:max = 2
}
)";

}  // namespace sinew::physics
