package io.cle.model.internal;

import java.time.Duration;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request. A request never fails by an exception: everything that can happen to it is listed here.
 *
 * @param <T> what a successful request returns
 */
public sealed interface ApiResult<T> {

    /** It succeeded. */
    record Ok<T>(T value) implements ApiResult<T> {}

    /**
     * It was carried out, but something else was stored than was written ({@code safety.md#write-that-stays}).
     *
     * @param value what is stored
     * @param message what of it isn't as it was written
     */
    record Changed<T>(T value, String message) implements ApiResult<T> {}

    /** It was refused because the object has changed since it was read, or exists already. Nothing was written. */
    record Conflict<T>(String message) implements ApiResult<T> {}

    /** The object isn't there. Nothing was written. */
    record Gone<T>(String message) implements ApiResult<T> {}

    /**
     * It was refused for what it is or who sent it (4xx, 429). Nothing was written.
     *
     * @param status the HTTP status; {@link #NONE} if no server has refused it: this process can't read or write such an object
     * @param retryAfter how long the server asks to wait; {@code null} when it doesn't say
     */
    record Refused<T>(int status, String message, @Nullable Duration retryAfter) implements ApiResult<T> {

        /** No status, because no server was asked, or its answer was a success. */
        public static final int NONE = 0;
    }

    /** A time-out, a broken connection or a 5xx: a write may have been applied, or may yet be ({@code safety.md#unknown-outcome}). */
    record OutcomeUnknown<T>(String message) implements ApiResult<T> {}

    /** For a person: what went wrong; {@code "ok"} when nothing did. */
    default String describe() {
        if (this instanceof Changed<T> changed) {
            return "stored otherwise than it was written, by an older CRD, an admission policy or webhook or a gateway, which must let the objects of"
                    + " leader election pass unchanged: " + changed.message();
        }
        if (this instanceof Conflict<T> conflict) {
            return "conflict: " + conflict.message();
        }
        if (this instanceof Gone<T> gone) {
            return "not found: " + gone.message();
        }
        if (this instanceof Refused<T> refused) {
            return (refused.status() == Refused.NONE ? "" : "refused with status " + refused.status() + ": ")
                    + refused.message();
        }
        if (this instanceof OutcomeUnknown<T> unknown) {
            return "outcome unknown: " + unknown.message();
        }
        return "ok";
    }

    /** The same result with another value. */
    default <R> ApiResult<R> map(Function<? super T, ? extends R> mapper) {
        if (this instanceof Changed<T> changed) {
            return new Changed<>(mapper.apply(changed.value()), changed.message());
        }
        return this instanceof Ok<T> ok ? new Ok<>(mapper.apply(ok.value())) : failure();
    }

    /**
     * The same failure, of a request that would have returned something else.
     *
     * @throws IllegalStateException if this isn't one
     */
    default <R> ApiResult<R> failure() {
        if (this instanceof Conflict<T> conflict) {
            return new Conflict<>(conflict.message());
        }
        if (this instanceof Gone<T> gone) {
            return new Gone<>(gone.message());
        }
        if (this instanceof Refused<T> refused) {
            return new Refused<>(refused.status(), refused.message(), refused.retryAfter());
        }
        if (this instanceof OutcomeUnknown<T> unknown) {
            return new OutcomeUnknown<>(unknown.message());
        }
        throw new IllegalStateException("it has a value, and is no failure: " + this);
    }
}
