package io.cle.lock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.cle.lock.internal.LockMachine.Action;
import io.cle.lock.internal.LockMachine.Event;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.transcript.Transcript;
import org.jspecify.annotations.Nullable;

/** Interprets a lock's transcript: what users, others and the API server do; returns what the lock does. */
final class LockScript implements Transcript.Interpreter {

    private LockDriver lock = LockDriver.coordinated("a");
    private int told;

    @Override
    public List<String> happens(String line) {
        String[] words = line.split(" ");
        switch (words[0]) {
            case "direct" -> begin(LockDriver.direct(words[1]));
            case "candidate" ->
                begin(
                        words.length > 2
                                ? LockDriver.of(LockDriver.coordinatedConfig(words[1], words[2]))
                                        .begin()
                                : LockDriver.coordinated(words[1]));
            case "start" -> lock.start();
            case "stop" -> lock.stop();
            case "resign" -> lock.resign();
            case "drained" -> lock.drained();
            case "after" -> lock.after(duration(words[1]));
            case "frozen" -> lock.freeze(duration(words[2]));
            case "asked" -> lock.hearOfElection();
            case "watch" -> watch(words[1]);
            case "write" -> write(words);
            case "read" -> read(words[1]);
            case "serve" -> lock.serve(duration(words[2]));
            case "outage" -> lock.outage(duration(words[2]));
            case "unfit" -> lock.step(new Event.FitnessChanged(line.substring("unfit ".length())));
            case "fit" -> lock.step(new Event.FitnessChanged(null));
            case "others" -> others(words);
            case "api" -> api(words[1]);
            case "uncoordinated" -> lock.step(new Event.CoordinationChanged("candidates aren't served"));
            case "coordinated" -> lock.step(new Event.CoordinationChanged(null));
            default -> other(words);
        }
        return outcome();
    }

    private void begin(LockDriver driver) {
        lock = driver;
        told = 0;
    }

    private void watch(String what) {
        switch (what) {
            case "breaks" -> lock.breakWatch();
            case "relists" -> lock.relist();
            default -> throw new IllegalArgumentException("watch " + what);
        }
    }

    /** Answers the list of the other candidates, or loses it. */
    private void others(String[] words) {
        boolean lost = words.length > 1 && words[1].equals("lost");
        List<Candidate> found = Stream.of(words)
                .skip(1)
                .map(name -> Candidate.builder(new ObjectKey("shop", name), LockDriver.LEASE)
                        .renewTime(lock.now().wall())
                        .build())
                .toList();
        lock.step(
                new Event.OthersFound(lost ? new ApiResult.OutcomeUnknown<>("timed out") : new ApiResult.Ok<>(found)));
    }

    /** Replaces the API, or, once the lock has settled, closes the old API's watch and opens one of the new API. */
    private void api(String what) {
        switch (what) {
            case "replaced" -> lock.step(new Event.ApiReplaced());
            case "opened" ->
                lock.step(new Event.WatchClosed()).step(new Event.WatchOpened()).relist();
            default -> throw new IllegalArgumentException("api " + what);
        }
    }

    private void write(String[] words) {
        switch (words[1]) {
            case "ends" -> lock.answerWrite();
            case "lost" -> lock.loseWrite();
            case "applied" -> lock.applyWrite().loseWrite();
            case "refused" -> lock.endWrite(new ApiResult.Refused<>(Integer.parseInt(words[2]), "forbidden", null));
            default -> throw new IllegalArgumentException(String.join(" ", words));
        }
    }

    private void read(String what) {
        switch (what) {
            case "ends" -> lock.answerRead();
            case "lost" -> lock.loseRead();
            default -> throw new IllegalArgumentException("read " + what);
        }
    }

    private void other(String[] words) {
        String who = words[0];
        switch (words[1]) {
            case "elects" -> lock.grant(words[2]);
            case "prefers" -> lock.askToYield(words[2]);
            case "leads" -> lock.taken(who, "n9");
            case "renews" -> lock.renewed();
            case "releases" -> lock.released();
            case "takes" -> lock.takenByPlain(who);
            case "deletes" -> lock.delete();
            case "edits" -> lock.write(lease -> lease.holder(words[2]));
            default -> throw new IllegalArgumentException(String.join(" ", words));
        }
    }

    private List<String> outcome() {
        List<String> lines = new ArrayList<>();
        List<Action> actions = lock.actions();
        for (Action action : actions.subList(told, actions.size())) {
            lines.add("  " + text(action));
        }
        told = actions.size();
        long wakeAt = lock.state().wakeAt();
        long wakesIn = Duration.ofNanos(wakeAt - lock.now().nanos()).toMillis();
        String next = wakeAt == LockState.NEVER ? "" : wakesIn < 0 ? ", overdue" : ", wakes in " + wakesIn + " ms";
        lines.add("  [" + lock.role() + (lock.leads() ? ", leads" : "") + next + "]");
        return lines;
    }

    private static String text(Action action) {
        if (action instanceof Action.WriteLease write) {
            return (write.create() ? "create: " : "write: ") + text(write.desired());
        }
        if (action instanceof Action.ReadLease) {
            return "read";
        }
        if (action instanceof Action.Grant grant) {
            return "granted, token " + grant.term().fencingToken();
        }
        if (action instanceof Action.Revoke revoke) {
            return "revoked: " + revoke.reason();
        }
        if (action instanceof Action.LeaderChanged changed) {
            return "leader: " + changed.holder();
        }
        if (action instanceof Action.Report report) {
            return "report: " + report.message();
        }
        if (action instanceof Action.RequestFailed failed) {
            return "report: " + failed.message();
        }
        if (action instanceof Action.Inform inform) {
            return "says: " + inform.message();
        }
        if (action instanceof Action.FindOthers) {
            return "find others";
        }
        return action instanceof Action.Join ? "join" : action instanceof Action.Announce ? "announce" : "withdraw";
    }

    private static String text(@Nullable Lease desired) {
        Lease lease = Objects.requireNonNull(desired);
        String holder = lease.holder() == null ? "no holder" : lease.holder();
        String term = lease.granted() ? ", granted" : lease.confirmed() ? ", term" : "";
        return holder + " for " + lease.leaseDuration().toSeconds() + " s" + term;
    }

    private static Duration duration(String text) {
        return Duration.parse("PT" + text);
    }
}
