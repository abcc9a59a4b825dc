package io.cle.model.internal;

import java.time.Duration;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request. Requests never fail with an exception: all outcomes are listed here.
 *
 * @param <T> what a successful request returns
 */
public sealed interface ApiResult<T> {

    /** The request succeeded. */
    record Ok<T>(T value) implements ApiResult<T> {}

    /**
     * The request was carried out, but the stored object differs from the written one ({@code safety.md#write-that-stays}).
     *
     * @param value the stored object
     * @param message how it differs from the written one
     */
    record Changed<T>(T value, String message) implements ApiResult<T> {}

    /** The request was refused because the object has changed since it was read, or already exists. Nothing was written. */
    record Conflict<T>(String message) implements ApiResult<T> {}

    /** The object doesn't exist. Nothing was written. */
    record Gone<T>(String message) implements ApiResult<T> {}

    /**
     * The request was refused because it is invalid, unauthorized or throttled (4xx, 429). Nothing was written.
     *
     * @param status the HTTP status; {@link #NONE} if this process refused it because it can't read or write such an object
     * @param retryAfter the server's {@code Retry-After}; {@code null} if absent
     */
    record Refused<T>(int status, String message, @Nullable Duration retryAfter) implements ApiResult<T> {

        /** No status, because no request was sent, or the server's answer was a success. */
        public static final int NONE = 0;
    }

    /** A timeout, a broken connection or a 5xx: a write may have been applied, or may yet be ({@code safety.md#unknown-outcome}). */
    record OutcomeUnknown<T>(String message) implements ApiResult<T> {}

    /** Describes the failure for a person; {@code "ok"} if there was none. */
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

    /** Returns the same result with its value mapped. */
    default <R> ApiResult<R> map(Function<? super T, ? extends R> mapper) {
        if (this instanceof Changed<T> changed) {
            return new Changed<>(mapper.apply(changed.value()), changed.message());
        }
        return this instanceof Ok<T> ok ? new Ok<>(mapper.apply(ok.value())) : failure();
    }

    /**
     * Returns the same failure as the result of a request for another type.
     *
     * @throws IllegalStateException if this result isn't a failure
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
        throw new IllegalStateException("not a failure: " + this);
    }
}
