package io.cle.election.internal;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.cle.election.internal.CandidateQuota.Member;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Counts the candidates of each namespace, those that are malformed and those that name a foreign lease among them, and says which are
 * dropped because there are too many (safety.md#too-many-candidates). Of a dropped candidate only the name is kept. Confined to
 * the event loop.
 */
final class CountedCandidates {

    private final CandidateQuota quota;
    private final Map<String, OfNamespace> namespaces = new HashMap<>();

    CountedCandidates(CandidateQuota quota) {
        this.quota = quota;
    }

    /** The candidates of one namespace. */
    private static final class OfNamespace {
        private final NavigableSet<Member> counting = new TreeSet<>();
        private final Map<ObjectKey, Member> byKey = new HashMap<>();
        private final Set<ObjectKey> passedOver = new HashSet<>();

        /** Whether it was reported that there are too many; it is again once a tenth of the quota was free. */
        private boolean reported;

        private void add(Member member) {
            byKey.put(member.key(), member);
            counting.add(member);
            passedOver.remove(member.key());
        }

        private void remove(ObjectKey key) {
            Member member = byKey.remove(key);
            if (member != null) {
                counting.remove(member);
            }
        }
    }

    /**
     * Counts a candidate that was seen.
     *
     * @param created when it was created; {@code null} if that can't be read
     * @param holds whether a candidate holds the lease that it names
     * @return the candidate that is dropped to make room, perhaps this one; empty if there is room
     */
    Optional<ObjectKey> seen(ObjectKey key, @Nullable Instant created, Predicate<ObjectKey> holds) {
        OfNamespace all = namespaces.computeIfAbsent(key.namespace(), unused -> new OfNamespace());
        Member member = new Member(key, created);
        Member known = all.byKey.get(key);
        if (known != null && !known.equals(member)) {
            all.remove(key);
            all.add(member);
        }
        if (known != null) {
            return Optional.empty();
        }
        Optional<Member> surplus = quota.surplus(all.counting, member, holds);
        all.add(member);
        surplus.ifPresent(tooMany -> {
            all.remove(tooMany.key());
            all.passedOver.add(tooMany.key());
        });
        return surplus.map(Member::key);
    }

    /** Removes a candidate from the count. */
    void gone(ObjectKey key) {
        OfNamespace all = namespaces.get(key.namespace());
        if (all == null) {
            return;
        }
        all.remove(key);
        all.passedOver.remove(key);
        if (all.passedOver.isEmpty() && all.counting.size() <= quota.perNamespace() * 9L / 10) {
            all.reported = false;
        }
        if (all.counting.isEmpty() && all.passedOver.isEmpty()) {
            namespaces.remove(key.namespace());
        }
    }

    /** Removes the candidates that a list doesn't contain. Malformed candidates of the list are reported next. */
    void listed(Set<ObjectKey> present) {
        for (OfNamespace all : namespaces.values()) {
            all.passedOver.retainAll(present);
            List.copyOf(all.byKey.keySet()).stream()
                    .filter(key -> !present.contains(key))
                    .forEach(all::remove);
        }
    }

    /** Whether a candidate is there and doesn't count. */
    boolean passedOver(ObjectKey key) {
        OfNamespace all = namespaces.get(key.namespace());
        return all != null && all.passedOver.contains(key);
    }

    /** Returns the warning about a namespace, once, when the first of its candidates is dropped. */
    Optional<String> report(String namespace) {
        OfNamespace all = namespaces.get(namespace);
        if (all == null || all.reported || all.passedOver.isEmpty()) {
            return Optional.empty();
        }
        all.reported = true;
        return problem(namespace);
    }

    /** Returns the problem of the candidates of a namespace. */
    Optional<String> problem(String namespace) {
        OfNamespace all = namespaces.get(namespace);
        return all == null || all.passedOver.isEmpty()
                ? Optional.empty()
                : Optional.of("the namespace " + namespace + " has more than " + quota.perNamespace()
                        + " LeaseCandidates; the newest " + all.passedOver.size()
                        + " that hold no lease are ignored until there is room and they renew");
    }
}
