package io.cle.samples.plain;

import java.io.PrintStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.plain.LeaderElection;
import org.jspecify.annotations.Nullable;

/** Prints the leader of the lease {@code orders}, and a line per second while this process leads. Needs no Spring, and runs in any framework. */
public final class PlainJava implements LeadershipListener {

    private final PrintStream out;
    /** The thread of the current term. Calls of a listener never overlap. */
    private volatile @Nullable ExecutorService worker;

    private volatile CompletableFuture<@Nullable Void> ended = CompletableFuture.completedFuture(null);

    private PlainJava(PrintStream out) {
        this.out = out;
    }

    /**
     * Joins the election of the cluster that kubectl would use, or of the pod's own cluster. Ends with Ctrl-C, which
     * releases the lease.
     *
     * @param arguments the address of an API server without authentication, optional
     */
    public static void main(String[] arguments) throws InterruptedException {
        KubernetesAccess cluster = arguments.length == 0 ? KubernetesAccess.find() : KubernetesAccess.at(arguments[0]);
        LeaderElection election = join(cluster, System.out);
        Runtime.getRuntime().addShutdownHook(new Thread(election::close));
        Thread.currentThread().join();
    }

    /** Joins the election; {@code close()} leaves it. A framework calls this method when it starts, and {@code close()} when it stops. */
    static LeaderElection join(KubernetesAccess cluster, PrintStream out) {
        return LeaderElection.builder(cluster)
                .lease("orders")
                .listener(new PlainJava(out))
                .start();
    }

    @Override
    public void onLeaderChanged(@Nullable String holder) {
        out.println(holder == null ? "nobody leads" : holder + " leads");
    }

    @Override
    public void onGranted(Term term) {
        ExecutorService ofTerm = Executors.newSingleThreadExecutor();
        worker = ofTerm;
        // drained() must not fail, so a failure of the work is handled here.
        ended = CompletableFuture.runAsync(() -> work(term), ofTerm).exceptionally(failure -> {
            out.println("the work failed: " + failure);
            return null;
        });
    }

    @Override
    public void onRevoked(Term term, RevokeReason reason) {
        ExecutorService ofTerm = worker;
        if (ofTerm != null) {
            // Interrupts the work.
            ofTerm.shutdownNow();
        }
    }

    /** The lease is released when this completes, so the next leader begins only after the work has returned. */
    @Override
    public CompletionStage<Void> drained(Term term) {
        return ended;
    }

    private void work(Term term) {
        try {
            while (term.isValid()) {
                out.println("works, with the fencing token " + term.fencingToken());
                Thread.sleep(1000);
            }
        } catch (InterruptedException endOfTerm) {
            out.println("stops");
        }
    }
}
