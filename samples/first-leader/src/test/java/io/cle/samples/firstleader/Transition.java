package io.cle.samples.firstleader;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A write to a Lease, from a row of the table of transitions.
 *
 * @param row the row's cells
 * @param inNativeFormat whether strategy and preferred holder are fields
 * @param change what is done to the written Lease beside what the row says
 */
record Transition(List<String> row, boolean inNativeFormat, Consumer<Transition.Written> change) {

    private static final String OWN = "orders-a-x2k9z";
    private static final String OTHER = "orders-b-7f9cq";
    private static final String STRATEGY = "OldestCompatibilityVersion";
    private static final long SIXTY_EIGHT_YEARS = Integer.MAX_VALUE;

    /** What makes any transition of a pod a wrong one. */
    static final Map<String, Consumer<Written>> WRONGS = wrongs();

    Transition(List<String> row, boolean inNativeFormat) {
        this(row, inNativeFormat, unused -> {});
    }

    /** A Lease. */
    static final class Written {
        final Map<String, Object> metadata = new HashMap<>(Map.of("name", "orders", "namespace", "shop"));
        final Map<String, Object> annotations = new HashMap<>();
        final Map<String, Object> labels = new HashMap<>(Map.of("coordination.cle.io/managed", "true"));
        final Map<String, Object> spec = new HashMap<>();

        Map<String, Object> json() {
            Map<String, Object> all = new HashMap<>(metadata);
            all.put("annotations", annotations);
            all.put("labels", labels);
            return Map.of("metadata", all, "spec", spec);
        }
    }

    private static Map<String, Consumer<Written>> wrongs() {
        Map<String, Consumer<Written>> wrongs = new LinkedHashMap<>();
        wrongs.put(
                "an end of term",
                record -> record.annotations.put("coordination.k8s.io/end-of-term", "of the holder's own"));
        wrongs.put(
                "a preferred holder",
                record -> record.annotations.put("coordination.k8s.io/preferred-holder", "ghost"));
        wrongs.put("a preferred holder in its field", record -> record.spec.put("preferredHolder", "ghost"));
        wrongs.put("a strategy", record -> record.annotations.put("coordination.k8s.io/strategy", "NoCoordination"));
        wrongs.put("a strategy in its field", record -> record.spec.put("strategy", "NoCoordination"));
        wrongs.put(
                "a strategy that passes for the coordinator's",
                record -> record.annotations.put("coordination.cle.io/recorded-strategy", "NoCoordination"));
        wrongs.put("another elector", record -> record.annotations.put("coordination.k8s.io/elected-by", "somebody"));
        wrongs.put("another label", record -> record.labels.put("coordination.cle.io/managed", "false"));
        wrongs.put(
                "an owner",
                record -> record.metadata.put("ownerReferences", List.of(Map.of("kind", "Pod", "uid", "x"))));
        wrongs.put("a holder that doesn't exist, for long", record -> {
            record.spec.put("holderIdentity", "orders-ghost-aaaaa");
            record.spec.put("leaseDurationSeconds", SIXTY_EIGHT_YEARS);
        });
        wrongs.put("no holder, for long", record -> {
            record.spec.put("holderIdentity", "");
            record.spec.put("leaseDurationSeconds", SIXTY_EIGHT_YEARS);
        });
        wrongs.put("another pod", record -> {
            record.spec.put("holderIdentity", OWN);
            record.annotations.put("coordination.cle.io/holder-pod", "uid-of-b/" + OWN);
        });
        return wrongs;
    }

    String by() {
        return row.get(1);
    }

    Transition with(Consumer<Written> wrong) {
        return new Transition(row, inNativeFormat, wrong);
    }

    /** Why an account's request for it is refused; empty if it isn't. */
    Optional<String> refused(AdmissionPolicyTest.Policy policy, String user, String pod) {
        boolean create = row.get(2).equals("no Lease");
        Written written = written(create ? new Written() : before());
        change.accept(written);
        return policy.refuses(
                AdmissionPolicyTest.request(create ? "CREATE" : "UPDATE", user, pod),
                written.json(),
                create ? null : before().json());
    }

    /** What stood there: all that the row lets stay or be removed. */
    private Written before() {
        Written before = new Written();
        String holder = holder(row.get(2));
        before.spec.put("holderIdentity", holder);
        before.spec.put("leaseDurationSeconds", 15L);
        before.spec.put("acquireTime", "2026-01-01T00:00:00.000000Z");
        if (!row.get(5).equals("set")) {
            prefer(before);
        }
        if (!row.get(6).equals("recorded")) {
            record(before);
        }
        if (!holder.isEmpty()) {
            before.annotations.put("coordination.k8s.io/elected-by", "coordinated-election-controller");
        }
        if (holder.equals(OWN)) {
            before.annotations.put("coordination.cle.io/holder-pod", "uid-of-a/app/" + OWN);
        }
        before.annotations.put("coordination.cle.io/term", "{\"nonce\": \"n1\"}");
        return before;
    }

    private Written written(Written lease) {
        String holder = holder(row.get(3));
        lease.spec.put("holderIdentity", holder);
        switch (row.get(4)) {
            case "own" -> lease.spec.put("leaseDurationSeconds", 30L);
            case "5 s" -> lease.spec.put("leaseDurationSeconds", 5L);
            case "1 s" -> lease.spec.put("leaseDurationSeconds", 1L);
            default -> requireUnchanged(row.get(4));
        }
        switch (row.get(5)) {
            case "set" -> prefer(lease);
            case "removed" -> {
                lease.spec.remove("preferredHolder");
                lease.annotations.remove("coordination.k8s.io/end-of-term");
                lease.annotations.remove("coordination.k8s.io/preferred-holder");
            }
            case "none" -> {}
            default -> requireUnchanged(row.get(5));
        }
        switch (row.get(6)) {
            case "recorded" -> record(lease);
            case "none" -> {}
            default -> requireUnchanged(row.get(6));
        }
        switch (row.get(7)) {
            case "`candidate-fallback`" ->
                lease.annotations.put("coordination.k8s.io/elected-by", "candidate-fallback");
            case "coordinator" ->
                lease.annotations.put("coordination.k8s.io/elected-by", "coordinated-election-controller");
            case "removed" -> lease.annotations.remove("coordination.k8s.io/elected-by");
            default -> requireUnchanged(row.get(7));
        }
        if (row.get(8).equals("new")) {
            lease.spec.put("acquireTime", "2026-01-01T00:01:00.000000Z");
        } else {
            requireUnchanged(row.get(8));
        }
        lease.annotations.put("coordination.cle.io/term", "{\"nonce\": \"n2\", \"after\": \"7\"}");
        if (holder.equals(OWN)) {
            lease.annotations.put("coordination.cle.io/holder-pod", "uid-of-a/app/" + OWN);
        } else {
            lease.annotations.remove("coordination.cle.io/holder-pod");
        }
        return lease;
    }

    private static void requireUnchanged(String cell) {
        if (!cell.equals("unchanged")) {
            throw new AssertionError("the table of transitions says '" + cell + "', which this test doesn't know");
        }
    }

    private static String holder(String cell) {
        return switch (cell) {
            case "own" -> OWN;
            case "other", "preferred" -> OTHER;
            case "successor" -> "orders-c-aaaaa";
            case "none", "no Lease" -> "";
            default -> throw new AssertionError("no such holder: " + cell);
        };
    }

    private void prefer(Written lease) {
        if (inNativeFormat) {
            lease.spec.put("preferredHolder", OTHER);
        } else {
            lease.annotations.put("coordination.k8s.io/end-of-term", "true");
            lease.annotations.put("coordination.k8s.io/preferred-holder", OTHER);
        }
    }

    private void record(Written lease) {
        if (inNativeFormat) {
            lease.spec.put("strategy", "coordination.cle.io/" + STRATEGY);
        } else {
            lease.annotations.put("coordination.k8s.io/strategy", STRATEGY);
            lease.annotations.put("coordination.cle.io/recorded-strategy", STRATEGY);
        }
    }

    @Override
    public String toString() {
        return row.get(0) + (inNativeFormat ? " (native)" : " (crd)");
    }
}
