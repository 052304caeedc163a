/// An optional value in memory of its own: whatever seldom has it is not made larger, and costs no more to copy, for it.
@propertyWrapper
package enum Boxed<Value> {
    /// There is no value.
    case none
    /// The value.
    indirect case some(Value)

    /// A box for a value, if there is one.
    package init(wrappedValue: Value?) { self = wrappedValue.map { .some($0) } ?? .none }

    /// There is no value; to ask this of the value would copy it.
    var isEmpty: Bool { if case .none = self { true } else { false } }

    /// The value; nil where there is none.
    package var wrappedValue: Value? {
        get { if case .some(let value) = self { value } else { nil } }
        set { self = Boxed(wrappedValue: newValue) }
    }
}

extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}
extension Boxed: Sendable where Value: Sendable {}
