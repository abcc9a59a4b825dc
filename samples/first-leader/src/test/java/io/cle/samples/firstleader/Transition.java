package io.cle.samples.firstleader;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.cle.kubernetes.internal.codec.LeaseJson;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import io.cle.model.internal.TermAnnotation.Ended;

/**
 * A write to a Lease, from a row of the table of transitions.
 *
 * @param row the row's cells
 * @param inNativeFormat whether strategy and preferred holder are fields
 * @param change an additional change to the written Lease
 */
record Transition(List<String> row, boolean inNativeFormat, Consumer<Transition.Written> change) {

    private static final String TERM = "coordination.cle.io/term";
    private static final String OWN = "orders-a-x2k9z";
    private static final String OTHER = "orders-b-7f9cq";
    private static final String STRATEGY = "OldestCompatibilityVersion";
    private static final long SIXTY_EIGHT_YEARS = Integer.MAX_VALUE;

    /** Changes that make any transition of a pod wrong. */
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

        String holder() {
            return (String) spec.get("holderIdentity");
        }

        Instant acquireTime() {
            return Instant.parse((String) spec.get("acquireTime"));
        }

        long seconds() {
            return (Long) spec.get("leaseDurationSeconds");
        }

        /** Returns a term of the holder, or of the former holder of a released Lease. */
        TermAnnotation begun(Duration duration) {
            String of = holder().isEmpty() ? OWN : holder();
            return TermAnnotation.begun("k3f9x", "5c1e", duration, of, acquireTime(), new Ended("p0q2r.9d44", "4711"));
        }

        /** Returns the text of the annotation as a process would write it. */
        String text(TermAnnotation annotation) {
            Lease lease = Lease.builder(ObjectKey.parse("shop/orders"))
                    .holder(holder().isEmpty() ? null : holder())
                    .leaseDuration(Duration.ofSeconds(seconds()))
                    .acquireTime(acquireTime())
                    .renewTime(acquireTime())
                    .term(annotation)
                    .build();
            return LeaseJson.CRD
                    .patch(lease)
                    .getAsJsonObject("metadata")
                    .getAsJsonObject("annotations")
                    .get(TERM)
                    .getAsString();
        }

        /** Writes a term annotation with a change to its text. */
        void edit(String part, String replacement) {
            String text = text(begun(Duration.ofSeconds(seconds())));
            if (!text.contains(part)) {
                throw new AssertionError(text + " has no " + part);
            }
            annotations.put(TERM, text.replace(part, replacement));
        }

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
        wrongs.put("a label of others", record -> record.labels.put("example.com/label", "x"));
        wrongs.put("another manager", record -> record.labels.put("app.kubernetes.io/managed-by", "Helm"));
        wrongs.put("an annotation of others", record -> record.annotations.put("example.com/annotation", "x"));
        wrongs.put(
                "a preferred holder's key", record -> record.annotations.put("coordination.cle.io/preferred-key", "9"));
        wrongs.put(
                "an owner",
                record -> record.metadata.put(
                        "ownerReferences",
                        List.of(Map.of("apiVersion", "v1", "kind", "Pod", "name", "x", "uid", "x"))));
        wrongs.put("a finalizer", record -> record.metadata.put("finalizers", List.of("example.com/kept")));
        wrongs.put("a Lease for long", record -> record.spec.put("leaseDurationSeconds", SIXTY_EIGHT_YEARS));
        wrongs.put("a Lease and a term for long", record -> {
            record.spec.put("leaseDurationSeconds", SIXTY_EIGHT_YEARS);
            record.annotations.put(TERM, record.text(record.begun(Duration.ofSeconds(record.seconds()))));
        });
        wrongs.put(
                "a term for long",
                record ->
                        record.annotations.put(TERM, record.text(record.begun(Duration.ofSeconds(SIXTY_EIGHT_YEARS)))));
        wrongs.put(
                "a term that is longer than the Lease says",
                record -> record.annotations.put(
                        TERM, record.text(record.begun(Duration.ofSeconds(record.seconds() + 1)))));
        wrongs.put(
                "a term whose duration is there twice",
                record -> record.edit("\"duration\"", "\"duration\":2147483647,\"duration\""));
        wrongs.put(
                "a term whose duration is spelt otherwise",
                record -> record.edit("\"duration\":", "\"\\u0064uration\":2147483647,\"d\":"));
        wrongs.put("a term with blanks", record -> record.edit("\"duration\":", "\"duration\": "));
        wrongs.put("a preemption", record -> record.edit("\"term\"", "\"preempting\""));
        wrongs.put("a term of another holder", record -> record.edit("\"holder\":\"", "\"holder\":\"x"));
        wrongs.put(
                "a term that began at another time",
                record -> record.edit("\"acquireTime\":\"2", "\"acquireTime\":\"3"));
        wrongs.put(
                "the administrator's line",
                record -> record.annotations.put(TERM, "{\"ended\":\"*\",\"after\":\"4711\"}"));
        wrongs.put(
                "the administrator's line, otherwise",
                record -> record.annotations.put(TERM, "{\"ended\":\"\\u002a\",\"after\":\"4711\"}"));
        wrongs.put(
                "the administrator's line in a term",
                record -> record.edit("\"ended\":\"p0q2r.9d44\"", "\"ended\":\"*\""));
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

    /**
     * Returns the request to review.
     *
     * @param uid of the pod of {@code orders-a-x2k9z}
     */
    Review review(Review.Account account, String uid) {
        boolean create = row.get(2).equals("no Lease");
        Written written = written(create ? new Written() : before(uid), uid);
        change.accept(written);
        return Review.of(
                account, "Lease", written.json(), create ? null : before(uid).json());
    }

    /** Returns the Lease before the write, with all fields that the row lets stay or be removed. */
    private Written before(String uid) {
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
            before.annotations.put("coordination.cle.io/holder-pod", uid + "/app/" + OWN);
        }
        before.annotations.put(
                TERM,
                before.text(
                        holder.isEmpty()
                                ? TermAnnotation.released(new Ended("p0q2r.9d44", "4709"))
                                : before.begun(Duration.ofSeconds(15))));
        return before;
    }

    private Written written(Written lease, String uid) {
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
            case "`candidate-hand-over`" ->
                lease.annotations.put("coordination.k8s.io/elected-by", "candidate-hand-over");
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
        if (by().equals("pod") || row.get(0).equals("grant")) {
            lease.annotations.put(TERM, lease.text(annotation(holder, lease)));
        }
        if (holder.equals(OWN)) {
            lease.annotations.put("coordination.cle.io/holder-pod", uid + "/app/" + OWN);
        } else {
            lease.annotations.remove("coordination.cle.io/holder-pod");
        }
        return lease;
    }

    /**
     * Returns the annotation that {@link io.cle.lock.internal} and {@link io.cle.election.internal} write with such a record.
     */
    private TermAnnotation annotation(String holder, Written lease) {
        Ended ended = new Ended("k3f9x.5c1e", "4711");
        if (holder.isEmpty()) {
            return TermAnnotation.released(ended);
        }
        return by().equals("pod") && holder.equals(OWN)
                ? lease.begun(Duration.ofSeconds(lease.seconds()))
                : TermAnnotation.granted(holder, lease.acquireTime(), ended);
    }

    private static void requireUnchanged(String cell) {
        if (!cell.equals("unchanged")) {
            throw new AssertionError("unknown cell '" + cell + "' in the table of transitions");
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
            // An API server accepts no preferred holder without a strategy.
            lease.spec.putIfAbsent("strategy", "coordination.cle.io/" + STRATEGY);
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
