package io.cle.election.internal;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

import io.cle.election.internal.api.PodState;
import io.cle.model.Candidate;
import io.cle.model.internal.Lease;
import io.cle.transcript.Transcript;

import static java.util.stream.Collectors.joining;

/** Interprets an election's transcript: who joins, leaves, renews, holds; returns what the coordinator decides. */
final class ElectionScript implements Transcript.Interpreter {

    private final ElectionDriver election = new ElectionDriver();

    @Override
    public List<String> happens(String line) {
        String[] words = line.split(" ");
        String subject = words[0];
        List<String> rest = List.of(words).subList(1, words.length);
        switch (subject) {
            case "after" -> election.after(duration(rest.get(0)));
            case "configured" -> election.configured(rest.get(0));
            case "lease" -> lease(String.join(" ", rest));
            case "pod" -> election.pod(pod(rest.get(0)));
            case "decide" -> {
                return List.of(text(election.decide()));
            }
            default -> candidate(subject, rest);
        }
        return List.of();
    }

    private static PodState pod(String state) {
        return switch (state) {
            case "gone" -> new PodState.Missing();
            case "ended" -> ElectionDriver.container(PodState.Phase.TERMINATED);
            case "runs" -> ElectionDriver.container(PodState.Phase.RUNNING);
            default -> throw new IllegalArgumentException("pod " + state);
        };
    }

    private void lease(String what) {
        String[] words = what.split(" ");
        switch (words[0]) {
            case "deleted" -> election.deleted();
            case "strategy" -> election.writes(lease -> lease.strategy(words[1]));
            default -> throw new IllegalArgumentException("lease " + what);
        }
    }

    private void candidate(String name, List<String> words) {
        switch (words.get(0)) {
            case "comes" -> election.comes(name, words.get(1), attributes(words));
            case "stands" -> election.stands(name, words.get(1), attributes(words));
            case "goes" -> election.goes(name);
            case "renews" -> election.renews(name);
            case "asks" -> election.changes(name, candidate -> candidate.strategy(words.get(2)));
            case "begins" -> election.begins(name);
            case "leads" -> election.holderRenews();
            case "yields" -> election.handsOver(words.size() > 2 ? words.get(2) : null);
            case "takes" -> election.plainTakes(name);
            default -> throw new IllegalArgumentException(name + " " + words);
        }
    }

    private UnaryOperator<Candidate.Builder> attributes(List<String> words) {
        return candidate -> {
            for (String word : words.subList(2, words.size())) {
                String[] parts = word.split("=");
                switch (parts[0]) {
                    case "strategy" -> candidate.strategy(parts[1]);
                    case "priority" -> candidate.priority(Integer.valueOf(parts[1]));
                    case "pod" -> ElectionDriver.inPod(candidate);
                    case "age" -> candidate.creationTime(election.wall().minus(duration(parts[1])));
                    default -> throw new IllegalArgumentException(word);
                }
            }
            return candidate;
        };
    }

    private static Duration duration(String text) {
        return Duration.parse("PT" + text);
    }

    private String text(Decision decision) {
        return "  " + what(decision) + "\n  because " + decision.reason();
    }

    private String what(Decision decision) {
        if (decision instanceof Decision.Elect elect) {
            return "ELECT " + elect.desired().holder() + ": " + record(elect.desired());
        }
        if (decision instanceof Decision.EndTerm endTerm) {
            return "END TERM: " + record(endTerm.desired());
        }
        if (decision instanceof Decision.ForgetPreferred forget) {
            return "FORGET: " + record(forget.desired());
        }
        if (decision instanceof Decision.RecordStrategy recorded) {
            return "RECORD STRATEGY: " + record(recorded.desired());
        }
        if (decision instanceof Decision.Ping ping) {
            return "PING "
                    + ping.candidates().stream().map(Candidate::identity).collect(joining(", "))
                    + again(decision);
        }
        if (decision instanceof Decision.LookAtPod) {
            return "LOOK AT POD";
        }
        return decision.recheckAt() == Decision.NEVER ? "NOTHING" : "WAIT" + again(decision);
    }

    private String again(Decision decision) {
        return ", look again in " + election.until(decision.recheckAt()).toMillis() + " ms";
    }

    private static String record(Lease lease) {
        String[] fields = {
            "holder " + lease.holder(),
            "strategy " + lease.strategy(),
            lease.endOfTerm() ? "end of term for " + lease.preferredHolder() : "",
            lease.granted() ? "granted" : "",
        };
        return Arrays.stream(fields).filter(field -> !field.isEmpty()).collect(joining(", "));
    }
}
