package io.cle.web.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.cle.ApiFormat;
import io.cle.election.internal.ElectionView;
import io.cle.kubernetes.internal.codec.AnnotatedLeaseCodec;
import io.cle.model.Candidate;
import io.cle.model.internal.Lease;
import io.cle.model.internal.Names;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.StrategyChoice;
import io.cle.web.view.LeasePage.Command;
import org.jspecify.annotations.Nullable;

/** The {@code kubectl} commands of one lease's page. There are none for names that are unsafe in a shell. */
final class Commands {

    /** Strategy names that are safe within quotes. A custom strategy may have any name. */
    private static final Pattern QUOTABLE = Pattern.compile("[A-Za-z0-9./-]+");

    private final ElectionView snapshot;
    private final String scope;
    private final String name;
    private final boolean nativeFormat;
    private final String candidates;

    private Commands(ElectionView snapshot, @Nullable ApiFormat format) {
        this.snapshot = snapshot;
        this.scope = " -n " + snapshot.key().namespace();
        this.name = snapshot.key().name();
        this.nativeFormat = format == ApiFormat.NATIVE;
        this.candidates = candidates(format);
    }

    /**
     * Returns whether a name is safe in a command line. Kubernetes names are; other text may have a meaning for a shell.
     */
    private static boolean harmless(String name) {
        return Names.problemOfName(name).isEmpty();
    }

    private static boolean harmless(ElectionView snapshot) {
        return harmless(snapshot.key().namespace()) && harmless(snapshot.key().name());
    }

    /** Returns commands that show the objects behind the page. */
    static List<Command> toLook(ElectionView snapshot, @Nullable ApiFormat format) {
        return harmless(snapshot) ? new Commands(snapshot, format).look() : List.of();
    }

    /** Returns commands for actions that an administrator may want to take. */
    static List<Command> toAct(ElectionView snapshot, @Nullable ApiFormat format) {
        return harmless(snapshot) ? new Commands(snapshot, format).act() : List.of();
    }

    private List<Command> look() {
        List<Command> commands = new ArrayList<>();
        commands.add(
                new Command("the lease and its annotations", "kubectl get lease" + scope + " " + name + " -o yaml"));
        commands.add(new Command("the candidates", "kubectl get " + candidates + scope));
        commands.add(new Command(
                "what the coordinator has reported, oldest first",
                "kubectl get events" + scope + " --field-selector involvedObject.kind=Lease,involvedObject.name=" + name
                        + " --sort-by=.lastTimestamp"));
        leadersPod().forEach(pod -> {
            commands.add(new Command("the leader's pod", "kubectl describe pod" + scope + " " + pod));
            commands.add(new Command("what the leader says", "kubectl logs" + scope + " " + pod + " --tail=100"));
        });
        commands.add(new Command("watch who leads", "kubectl get lease" + scope + " " + name + " --watch"));
        return List.copyOf(commands);
    }

    private List<Command> act() {
        List<Command> commands = new ArrayList<>();
        String annotate = "kubectl annotate lease" + scope + " " + name + " ";
        if (!nativeFormat) {
            commands.add(new Command(
                    "let the newest version lead (a canary), at once and until taken back",
                    annotate + "--overwrite coordination.k8s.io/strategy=NewestCompatibilityVersion"));
            commands.add(new Command("take that back", annotate + "coordination.k8s.io/strategy-"));
            commands.add(new Command(
                    "have no coordinator touch this lease",
                    annotate + "--overwrite coordination.k8s.io/strategy=NoCoordination"));
        }
        pinned().ifPresent(commands::add);
        Lease lease = snapshot.lease();
        if (lease != null) {
            new AnnotatedLeaseCodec()
                    .endingLine(lease)
                    .ifPresent(line -> commands.add(new Command(
                            "end every claim on this lease at once, if no process leads by it any more; if one does, two will lead"
                                    + " until its renew deadline. It answers Conflict if the lease has changed since",
                            line)));
        }
        String as = " --as=system:serviceaccount:" + snapshot.key().namespace() + ":" + serviceAccount();
        commands.add(new Command(
                "may the application's service account"
                        + (leadersPod().findFirst().isPresent() ? "" : " (put its name in place of default)")
                        + " renew this lease?",
                "kubectl auth can-i patch leases.coordination.k8s.io/" + name + scope + as));
        commands.add(
                new Command("may it announce candidates?", "kubectl auth can-i create " + candidates + scope + as));
        return List.copyOf(commands);
    }

    /**
     * Pins the strategy with a LeaseConfiguration. An annotation that names the strategy in force can't be distinguished from the
     * coordinator's own.
     */
    private Optional<Command> pinned() {
        ElectionStrategy strategy = snapshot.strategy().strategy();
        if (strategy == null
                || snapshot.strategy().source() != StrategyChoice.Source.CANDIDATES
                || !QUOTABLE.matcher(strategy.wireName()).matches()) {
            return Optional.empty();
        }
        String object = "{\"apiVersion\":\"coordination.cle.io/v1alpha1\",\"kind\":\"LeaseConfiguration\",\"metadata\":"
                + "{\"name\":\"" + name + "\",\"namespace\":\"" + snapshot.key().namespace()
                + "\"},\"spec\":{\"targetLease\":\"" + snapshot.key() + "\",\"strategy\":\"" + strategy.wireName()
                + "\"}}";
        return Optional.of(new Command(
                "keep electing by " + strategy.wireName()
                        + ", whatever candidates ask for; an annotation that names the strategy in force has no effect",
                "echo '" + object + "' | kubectl apply -f -"));
    }

    /** Returns a subcommand that reads the service account of the leader's pod, which the coordinator doesn't know. */
    private String serviceAccount() {
        return leadersPod()
                .findFirst()
                .map(pod -> "$(kubectl get pod" + scope + " " + pod + " -o jsonpath={.spec.serviceAccountName})")
                .orElse("default");
    }

    private static String candidates(@Nullable ApiFormat format) {
        return format == ApiFormat.NATIVE
                ? "leasecandidates.coordination.k8s.io"
                : "leasecandidates.coordination.cle.io";
    }

    private Stream<String> leadersPod() {
        Lease lease = snapshot.lease();
        return snapshot.candidates().stream()
                .map(ElectionView.Standing::candidate)
                .filter(candidate -> lease != null && candidate.identity().equals(lease.holder()))
                .map(Candidate::pod)
                .flatMap(pod -> Stream.ofNullable(pod))
                .filter(pod -> pod.key().namespace().equals(snapshot.key().namespace()))
                .map(pod -> pod.key().name())
                .filter(Commands::harmless)
                .limit(1);
    }

    /** Returns the command that shows one candidate; {@code null} if its name is unsafe in a shell. */
    static @Nullable String ofCandidate(Candidate candidate, @Nullable ApiFormat format) {
        return harmless(candidate.key().name()) && harmless(candidate.key().namespace())
                ? "kubectl get " + candidates(format)
                        + " -n " + candidate.key().namespace() + " "
                        + candidate.key().name() + " -o yaml"
                : null;
    }
}
