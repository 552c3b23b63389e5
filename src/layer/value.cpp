// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/value.hpp"

#include <new>
#include <utility>

#include "core/short_text.hpp"

namespace sinew::layer {

static_assert(sizeof(Value) <= 32, "values are held by the million");

// What does not fit in a buffer. The element type of the value says which Holder it is.
struct Value::Object {
  std::atomic<std::size_t> owners{1};
  virtual ~Object() = default;
};

template <typename T>
struct Value::Holder final : Value::Object {
  explicit Holder(T held) : object(std::move(held)) {}
  T object;
};

// An array whose elements are made by the first to ask for them.
struct Value::Waiting final : Value::Object {
  enum State : std::uint32_t { wanted_by_nobody, being_made, made };

  Waiting(std::size_t bytes, std::function<Buffer()> reader)
      : size(bytes), read(std::move(reader)) {}

  const Buffer& get() noexcept {
    std::uint32_t now = state.load(std::memory_order_acquire);
    if (now == wanted_by_nobody &&
        state.compare_exchange_strong(now, being_made, std::memory_order_acq_rel)) {
      elements = read();
      read = nullptr;
      state.store(made, std::memory_order_release);
      state.notify_all();
      return elements;
    }
    while (now != made) {
      state.wait(now, std::memory_order_acquire);
      now = state.load(std::memory_order_acquire);
    }
    return elements;
  }

  std::atomic<std::uint32_t> state{wanted_by_nobody};
  const std::size_t size;  // In bytes, unless they are damaged.
  std::function<Buffer()> read;
  Buffer elements;
};

void Value::share_counted(const Value& other) noexcept {
  storage_ = other.storage_;
  type_ = other.type_;
  is_array_ = other.is_array_;
  if (storage_ == Storage::buffer) {
    ::new (&contents_.buffer) Buffer(other.contents_.buffer);
  } else {
    contents_.object = other.contents_.object;
    contents_.object->owners.fetch_add(1, std::memory_order_relaxed);
  }
}

void Value::release_counted() noexcept {
  if (storage_ == Storage::buffer) {
    contents_.buffer.~Buffer();
  } else if (contents_.object->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete contents_.object;
  }
}

Value Value::scalar_from_bytes(ElementType type, const void* data, std::size_t size) {
  Value value;
  value.hold_scalar(type, data, size);
  return value;
}

void Value::hold_scalar(ElementType type, const void* data, std::size_t size) {
  if (size <= sizeof contents_.bytes) {
    copy_few(data, size, contents_.bytes);
  } else {
    ::new (&contents_.buffer) Buffer(Buffer::copy_of({static_cast<const std::byte*>(data), size}));
    storage_ = Storage::buffer;
  }
  type_ = type;
}

Value Value::array_from_buffer(ElementType type, Buffer bytes) {
  SINEW_ASSERT(element_size(type) != 0 && bytes.size() % element_size(type) == 0);
  Value value;
  value.type_ = type;
  value.is_array_ = true;
  if (!bytes.empty()) {
    ::new (&value.contents_.buffer) Buffer(std::move(bytes));
    value.storage_ = Storage::buffer;
  }
  return value;
}

Value Value::array_when_used(ElementType type, std::size_t bytes, std::function<Buffer()> read) {
  SINEW_ASSERT(element_size(type) != 0 && bytes % element_size(type) == 0 && read != nullptr);
  Value value;
  value.type_ = type;
  value.is_array_ = true;
  value.contents_.object = new Waiting(bytes, std::move(read));
  value.storage_ = Storage::waiting;
  return value;
}

bool Value::is_waiting() const noexcept {
  return storage_ == Storage::waiting &&
         static_cast<Waiting*>(contents_.object)->state.load(std::memory_order_acquire) !=
             Waiting::made;
}

const Buffer& Value::elements_when_used() const noexcept {
  static const Buffer none;
  return storage_ == Storage::waiting ? static_cast<Waiting*>(contents_.object)->get() : none;
}

Value Value::scalar_of(ElementType type, std::span<const std::byte> bytes) {
  SINEW_ASSERT(bytes.size() == element_size(type));
  return scalar_from_bytes(type, bytes.data(), bytes.size());
}

Value Value::block() noexcept {
  Value value;
  value.type_ = ElementType::block;
  return value;
}

Value Value::animation_block() noexcept {
  Value value;
  value.type_ = ElementType::animation_block;
  return value;
}

template <typename T>
Value Value::from_object(ElementType type, T object) {
  Value value;
  value.type_ = type;
  value.contents_.object = new Holder<T>(std::move(object));
  value.storage_ = Storage::object;
  return value;
}

template <typename T>
const T* Value::object(ElementType type) const noexcept {
  return type_ == type ? &static_cast<const Holder<T>*>(contents_.object)->object : nullptr;
}

Value Value::dictionary(Dictionary entries) {
  return from_object(ElementType::dictionary, std::move(entries));
}
Value Value::list_op(ListOp<Value> op) {
  return from_object(ElementType::list_op, std::move(op));
}
Value Value::token_list_op(ListOp<Token> op) {
  return from_object(ElementType::token_list_op, std::move(op));
}
Value Value::array_edit(ArrayEdit edit) {
  return from_object(ElementType::array_edit, std::move(edit));
}

const Dictionary* Value::as_dictionary() const noexcept {
  return object<Dictionary>(ElementType::dictionary);
}
const ListOp<Value>* Value::as_list_op() const noexcept {
  return object<ListOp<Value>>(ElementType::list_op);
}
const ListOp<Token>* Value::as_token_list_op() const noexcept {
  return object<ListOp<Token>>(ElementType::token_list_op);
}
const ArrayEdit* Value::as_array_edit() const noexcept {
  return object<ArrayEdit>(ElementType::array_edit);
}

std::size_t Value::size() const noexcept {
  const std::size_t element = element_size(type_);
  if (element == 0) return 0;
  return is_array_ ? bytes().size() / element : 1;
}

std::size_t Value::size_in_bytes() const noexcept {
  return is_waiting() ? static_cast<const Waiting*>(contents_.object)->size : bytes().size();
}

std::span<const std::byte> Value::bytes() const noexcept {
  if (is_array_) return {elements().data(), elements().size()};
  if (storage_ == Storage::buffer) return {contents_.buffer.data(), contents_.buffer.size()};
  return {contents_.bytes, element_size(type_)};
}

std::optional<std::string_view> Value::text() const noexcept {
  if (is_array_ || !stores_as<Token>(type_)) return std::nullopt;
  Token token;
  std::memcpy(static_cast<void*>(&token), contents_.bytes, sizeof token);
  return token.view();
}

namespace {

bool equal_texts(std::span<const Token> a, std::span<const Token> b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && a[i].view() != b[i].view()) return false;
  }
  return true;
}

bool equal_lists(const ListOp<Token>& a, const ListOp<Token>& b) noexcept {
  return a.is_explicit == b.is_explicit && equal_texts(a.explicit_items, b.explicit_items) &&
         equal_texts(a.deleted, b.deleted) && equal_texts(a.added, b.added) &&
         equal_texts(a.prepended, b.prepended) && equal_texts(a.appended, b.appended) &&
         equal_texts(a.ordered, b.ordered);
}

}  // namespace

bool operator==(const Value& a, const Value& b) noexcept {
  if (a.type_ != b.type_ || a.is_array_ != b.is_array_) return false;
  if (a.storage_ == Value::Storage::object && b.storage_ == Value::Storage::object &&
      a.contents_.object == b.contents_.object) {
    return true;
  }
  switch (a.type_) {
    case ElementType::dictionary:
      return *a.as_dictionary() == *b.as_dictionary();
    case ElementType::list_op:
      return *a.as_list_op() == *b.as_list_op();
    case ElementType::token_list_op:
      return equal_lists(*a.as_token_list_op(), *b.as_token_list_op());
    case ElementType::array_edit:
      return *a.as_array_edit() == *b.as_array_edit();
    default:
      break;
  }
  if (stores_as<Token>(a.type_)) {
    return a.is_array_ ? equal_texts(a.as_array<Token>(), b.as_array<Token>())
                       : a.text() == b.text();
  }
  const std::span<const std::byte> x = a.bytes();
  const std::span<const std::byte> y = b.bytes();
  return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size()) == 0);
}

const DictionaryEntry* find(const Dictionary& dictionary, std::string_view key) noexcept {
  for (const DictionaryEntry& entry : dictionary) {
    if (entry.key.view() == key) return &entry;
  }
  return nullptr;
}

}  // namespace sinew::layer
