package io.cle.fencing.jdbc;

import java.time.Instant;

import io.cle.Term;
import io.cle.model.ObjectKey;

/** A term of the lease {@code shop/orders}. */
public record TestTerm(long fencingToken) implements Term {

    static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    @Override
    public ObjectKey lease() {
        return ORDERS;
    }

    @Override
    public String identity() {
        return "orders-" + fencingToken;
    }

    @Override
    public Instant acquireTime() {
        return Instant.EPOCH;
    }

    @Override
    public boolean isValid() {
        return true;
    }
}
