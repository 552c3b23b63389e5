// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sinew/core/assert.hpp"
#include "sinew/core/buffer.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/token.hpp"
#include "sinew/core/types.hpp"
#include "sinew/layer/list_op.hpp"
#include "sinew/layer/value_type.hpp"

namespace sinew::layer {

struct LayerAccess;

struct ArrayEdit;
struct DictionaryEntry;

/// Entries in authored order, keys distinct.
using Dictionary = std::vector<DictionaryEntry>;

/// Whether T is how elements of `type` are stored: double for both double and timecode, Token for
/// string, token, asset and path expression, Vector3f for float3 and its roles, and so on.
template <typename T>
constexpr bool stores_as(ElementType type) noexcept;

/// Any value that a layer can hold: a scalar, an array, or one of the special forms.
///
/// Cheap to copy: scalars of up to 24 bytes are held inside, everything else is shared and
/// immutable, so an array that was read once is never copied. Values that hold Tokens are valid as
/// long as the token table of their layer; all others on their own.
class SINEW_API Value {
 public:
  /// No value. Not the same as block().
  Value() noexcept = default;
  /// Copies what lies inside, shares everything else.
  Value(const Value& other) noexcept { share(other); }
  /// Takes the contents; `other` holds no value afterwards.
  Value(Value&& other) noexcept { take(other); }
  /// Replaces the contents by those of `other`.
  Value& operator=(Value other) noexcept {
    release();
    take(other);
    return *this;
  }
  ~Value() { release(); }

  /// One element. Precondition: stores_as<T>(type).
  template <typename T>
  static Value scalar(ElementType type, const T& value);
  /// A copy of the elements, possibly none. Precondition: stores_as<T>(type).
  template <typename T>
  static Value array(ElementType type, std::span<const T> elements);
  /// Takes elements already stored as `type`: a whole number of element_size(type) bytes.
  static Value array_from_buffer(ElementType type, Buffer bytes);
  /// An array whose elements are made when they are first asked for. `read` gives so many bytes,
  /// like array_from_buffer(), or none if they turn out to be damaged: the array is empty then. It
  /// is called at most once, by whichever thread asks first, while others wait; what it holds is
  /// let go afterwards.
  static Value array_when_used(ElementType type, std::size_t bytes, std::function<Buffer()> read);
  /// A scalar from its stored bytes: element_size(type) of them.
  static Value scalar_of(ElementType type, std::span<const std::byte> bytes);
  /// `None`: weaker opinions are hidden, and there is no value.
  static Value block() noexcept;
  /// `AnimationBlock`: weaker samples and splines are hidden, default values are not.
  static Value animation_block() noexcept;
  /// A dictionary; keys are distinct.
  static Value dictionary(Dictionary entries);
  /// A list edit of plain values, e.g. of int64; the element type is that of its items.
  static Value list_op(ListOp<Value> op);
  /// A list edit of names, e.g. `apiSchemas`.
  static Value token_list_op(ListOp<Token> op);
  /// An edit of an array, which is no array until it is applied to one.
  static Value array_edit(ArrayEdit edit);

  /// False for values that were default-constructed or moved from; a block is a value.
  bool has_value() const noexcept { return type_ != ElementType::none; }
  /// Whether it is block(), not animation_block().
  bool is_block() const noexcept { return type_ == ElementType::block; }
  /// Whether it is an array, empty ones included.
  bool is_array() const noexcept { return is_array_; }
  /// Of the elements of an array; of the special forms, their own.
  ElementType type() const noexcept { return type_; }

  /// Elements of an array; 1 for scalars; 0 for no value and special forms.
  std::size_t size() const noexcept;

  /// The scalar, if it is stored as T. No conversion.
  template <typename T>
  std::optional<T> get() const;

  /// The elements of an array stored as T, valid as long as this value or a copy of it. Empty if it
  /// is anything else; a scalar is not an array of one. Aligned for T, and to 64 bytes unless they
  /// lie in the bytes of a file (Buffer::is_view()).
  template <typename T>
  std::span<const T> as_array() const noexcept;

  /// The raw bytes: elements of an array, or the scalar. Empty for special forms.
  std::span<const std::byte> bytes() const noexcept;

  /// As bytes().size(), without making the elements of an array that waits: damaged ones, which are
  /// empty when they are used, count in full until then.
  std::size_t size_in_bytes() const noexcept;

  /// Whether it holds anything beyond its own bytes: false for scalars of up to 24 bytes.
  bool owns_memory() const noexcept { return storage_ != Storage::inside; }

  /// The buffer of an array, to share it; empty for anything else.
  Buffer buffer() const noexcept { return is_array_ ? elements() : Buffer(); }

  /// Whether the elements of this array are still to be made, see array_when_used().
  bool is_waiting() const noexcept;

  /// The special forms; null if this is something else.
  const Dictionary* as_dictionary() const noexcept;
  /// Null if it is something else.
  const ListOp<Value>* as_list_op() const noexcept;
  /// Null if it is something else.
  const ListOp<Token>* as_token_list_op() const noexcept;
  /// Null if it is something else.
  const ArrayEdit* as_array_edit() const noexcept;

  /// Text of a scalar string, token, asset, path expression, path or unregistered value.
  std::optional<std::string_view> text() const noexcept;

  /// Same type and same contents; floating point compares by bits. Tokens compare by text, so
  /// that values of different layers can be compared.
  friend SINEW_API bool operator==(const Value& a, const Value& b) noexcept;

 private:
  struct Object;  // Shared dictionary, list op, array edit or Waiting.
  struct Waiting;
  template <typename T>
  struct Holder;

  static Value scalar_from_bytes(ElementType type, const void* data, std::size_t size);
  // Holds one element of so many bytes; nothing is held here.
  void hold_scalar(ElementType type, const void* data, std::size_t size);
  template <typename T>
  static Value from_object(ElementType type, T object);
  template <typename T>
  const T* object(ElementType type) const noexcept;
  const std::byte* data() const noexcept {
    return storage_ == Storage::buffer ? contents_.buffer.data() : contents_.bytes;
  }
  // Of an array.
  const Buffer& elements() const noexcept {
    return storage_ == Storage::buffer ? contents_.buffer : elements_when_used();
  }
  const Buffer& elements_when_used() const noexcept;
  // Copies what `other` holds; nothing is held here.
  void share(const Value& other) noexcept {
    if (other.storage_ == Storage::inside) {
      copy_bytes(other);
    } else {
      share_counted(other);
    }
  }
  // Moves what `other` holds, which holds no value afterwards; nothing is held here. All kinds of
  // contents may be moved as bytes: a buffer is one pointer.
  void take(Value& other) noexcept {
    copy_bytes(other);
    other.storage_ = Storage::inside;
    other.type_ = ElementType::none;
    other.is_array_ = false;
  }
  void release() noexcept {
    if (storage_ != Storage::inside) release_counted();
  }
  void copy_bytes(const Value& other) noexcept {
    static_assert(sizeof(Buffer) == sizeof(void*));
    std::memcpy(static_cast<void*>(&contents_), static_cast<const void*>(&other.contents_),
                sizeof contents_);
    storage_ = other.storage_;
    type_ = other.type_;
    is_array_ = other.is_array_;
  }
  void share_counted(const Value& other) noexcept;
  void release_counted() noexcept;
  // Holds what `other` holds without counting it; nothing is held here. For a value that is never
  // destroyed, beside one that is, and later than anything asks for either.
  void borrow(const Value& other) noexcept { copy_bytes(other); }
  friend struct LayerAccess;

  enum class Storage : std::uint8_t { inside, buffer, object, waiting };
  union Contents {
    Contents() noexcept : bytes{} {}
    ~Contents() {}
    std::byte bytes[24];  // Scalars of up to 24 bytes.
    Buffer buffer;        // Arrays and larger scalars.
    Object* object;       // Special forms, and arrays that may be still to be made.
  };
  Contents contents_;
  Storage storage_ = Storage::inside;
  ElementType type_ = ElementType::none;
  bool is_array_ = false;
};

/// One entry of a dictionary. The key is any text.
struct DictionaryEntry {
  Token key;        ///< Any text, kept as written.
  Token type_name;  ///< As written, e.g. "string[]"; "dictionary" for nested ones.
  Value value;      ///< Nested dictionaries are values too.
  /// Whether key, type name and value are the same; names compare by text.
  friend bool operator==(const DictionaryEntry& a, const DictionaryEntry& b) noexcept {
    return a.key.view() == b.key.view() && a.type_name.view() == b.type_name.view() &&
           a.value == b.value;
  }
};

/// `edit [ ... ]`: instructions applied in order to the array that weaker opinions give. Indices
/// count from the end if negative; instructions out of range are skipped.
struct ArrayEdit {
  /// What an instruction does.
  enum class Kind : std::uint8_t {
    write,     ///< Replaces the element at `index`.
    insert,    ///< Puts one before the element at `index`; at the end if that is the size.
    prepend,   ///< Puts one in front.
    append,    ///< Puts one at the end.
    erase,     ///< Takes the element at `index` out.
    min_size,  ///< Fills a shorter array up to `index` elements.
    max_size,  ///< Cuts a longer array to `index` elements.
    resize     ///< Both.
  };
  /// One step of an edit.
  struct Instruction {
    Kind kind = Kind::write;             ///< Decides which of the members below count.
    std::int64_t index = 0;              ///< Destination of write, insert, erase; or the size.
    std::optional<std::int64_t> source;  ///< Copies this element instead of `literal`.
    Value literal;                       ///< Scalar of the element type; the fill of sizes.
    /// Whether every member is equal.
    friend bool operator==(const Instruction&, const Instruction&) = default;
  };
  /// Of the array that is edited; another type starts from an empty array.
  ElementType element = ElementType::none;
  std::vector<Instruction> instructions;  ///< In the order in which they are applied.
  /// Whether both are the same edit, step by step.
  friend bool operator==(const ArrayEdit&, const ArrayEdit&) = default;
};

/// The entry of `key`, or null. O(n).
SINEW_API const DictionaryEntry* find(const Dictionary& dictionary, std::string_view key) noexcept;

namespace detail {

template <typename T>
inline constexpr ElementType kElementOf = ElementType::none;
template <>
inline constexpr ElementType kElementOf<bool> = ElementType::bool_;
template <>
inline constexpr ElementType kElementOf<std::uint8_t> = ElementType::uchar;
template <>
inline constexpr ElementType kElementOf<std::int32_t> = ElementType::int_;
template <>
inline constexpr ElementType kElementOf<std::uint32_t> = ElementType::uint;
template <>
inline constexpr ElementType kElementOf<std::int64_t> = ElementType::int64;
template <>
inline constexpr ElementType kElementOf<std::uint64_t> = ElementType::uint64;
template <>
inline constexpr ElementType kElementOf<Half> = ElementType::half;
template <>
inline constexpr ElementType kElementOf<float> = ElementType::float_;
template <>
inline constexpr ElementType kElementOf<double> = ElementType::double_;
template <>
inline constexpr ElementType kElementOf<Token> = ElementType::token;
template <>
inline constexpr ElementType kElementOf<Vector2i> = ElementType::int2;
template <>
inline constexpr ElementType kElementOf<Vector3i> = ElementType::int3;
template <>
inline constexpr ElementType kElementOf<Vector4i> = ElementType::int4;
template <>
inline constexpr ElementType kElementOf<Vector2h> = ElementType::half2;
template <>
inline constexpr ElementType kElementOf<Vector3h> = ElementType::half3;
template <>
inline constexpr ElementType kElementOf<Vector4h> = ElementType::half4;
template <>
inline constexpr ElementType kElementOf<Vector2f> = ElementType::float2;
template <>
inline constexpr ElementType kElementOf<Vector3f> = ElementType::float3;
template <>
inline constexpr ElementType kElementOf<Vector4f> = ElementType::float4;
template <>
inline constexpr ElementType kElementOf<Vector2d> = ElementType::double2;
template <>
inline constexpr ElementType kElementOf<Vector3d> = ElementType::double3;
template <>
inline constexpr ElementType kElementOf<Vector4d> = ElementType::double4;
template <>
inline constexpr ElementType kElementOf<Quath> = ElementType::quath;
template <>
inline constexpr ElementType kElementOf<Quatf> = ElementType::quatf;
template <>
inline constexpr ElementType kElementOf<Quatd> = ElementType::quatd;
template <>
inline constexpr ElementType kElementOf<Matrix2d> = ElementType::matrix2d;
template <>
inline constexpr ElementType kElementOf<Matrix3d> = ElementType::matrix3d;
template <>
inline constexpr ElementType kElementOf<Matrix4d> = ElementType::matrix4d;

}  // namespace detail

template <typename T>
constexpr bool stores_as(ElementType type) noexcept {
  using E = ElementType;
  if constexpr (std::is_same_v<T, Token>) {
    return type == E::string || type == E::token || type == E::asset ||
           type == E::path_expression || type == E::path || type == E::unregistered;
  } else if constexpr (std::is_same_v<T, double>) {
    return type == E::double_ || type == E::timecode;
  } else {
    static_assert(detail::kElementOf<T> != E::none, "not a type that values are stored as");
    return type == detail::kElementOf<T>;
  }
}

template <typename T>
Value Value::scalar(ElementType type, const T& value) {
  SINEW_ASSERT(stores_as<T>(type));
  return scalar_from_bytes(type, &value, sizeof(T));
}

template <typename T>
Value Value::array(ElementType type, std::span<const T> elements) {
  SINEW_ASSERT(stores_as<T>(type));
  return array_from_buffer(type, Buffer::copy_of(std::as_bytes(elements)));
}

template <typename T>
std::optional<T> Value::get() const {
  if (is_array_ || !stores_as<T>(type_)) return std::nullopt;
  T result;
  std::memcpy(static_cast<void*>(&result), data(), sizeof(T));
  return result;
}

template <typename T>
std::span<const T> Value::as_array() const noexcept {
  if (!is_array_ || !stores_as<T>(type_)) return {};
  const Buffer& buffer = elements();
  return {reinterpret_cast<const T*>(buffer.data()), buffer.size() / sizeof(T)};
}

}  // namespace sinew::layer
