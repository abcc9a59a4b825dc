package io.cle.spring.lock;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.cle.CoordinatedLeaseLock;

/** Locks that the application creates itself. */
record OwnLocks(CoordinatedLeaseLock main, Map<String, CoordinatedLeaseLock> asMap) implements LeaseLocks {

    @Override
    public String mainName() {
        return main.name();
    }

    @Override
    public Optional<CoordinatedLeaseLock> find(String name) {
        return Optional.ofNullable(asMap.get(name));
    }

    @Override
    public Set<String> names() {
        return asMap.keySet();
    }
}
