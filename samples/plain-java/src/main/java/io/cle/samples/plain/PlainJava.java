package io.cle.samples.plain;

import java.io.PrintStream;

import io.cle.LeaderElection;
import io.cle.LeadershipListener;
import io.cle.Term;
import io.cle.kubernetes.KubernetesAccess;
import org.jspecify.annotations.Nullable;

/** Prints who leads the lease {@code orders}, and a line a second while this process does. Needs no Spring, and runs in any framework. */
public final class PlainJava implements LeadershipListener {

    private final PrintStream out;

    private PlainJava(PrintStream out) {
        this.out = out;
    }

    /**
     * Finds the cluster as kubectl does, or the one of the pod that it runs in; ends with Ctrl-C, which releases the lease.
     *
     * @param arguments the address of an API server without authentication, if it is to be that one
     */
    public static void main(String[] arguments) throws InterruptedException {
        KubernetesAccess cluster = arguments.length == 0 ? KubernetesAccess.find() : KubernetesAccess.at(arguments[0]);
        LeaderElection election = join(cluster, System.out);
        Runtime.getRuntime().addShutdownHook(new Thread(election::close));
        Thread.currentThread().join();
    }

    /** Joins the election; {@code close()} leaves it. A framework calls the one when it starts, and the other when it stops. */
    static LeaderElection join(KubernetesAccess cluster, PrintStream out) {
        PlainJava program = new PlainJava(out);
        LeaderElection election =
                LeaderElection.builder(cluster).lease("orders").start();
        election.lock().addListener(program);
        election.runWhileLeader(program::work);
        return election;
    }

    @Override
    public void onLeaderChanged(@Nullable String holder) {
        out.println(holder == null ? "nobody leads" : holder + " leads");
    }

    /** Is interrupted when the term ends; the next leader begins only after this has returned. */
    private void work(Term term) throws InterruptedException {
        while (true) {
            out.println("works, with the fencing token " + term.fencingToken());
            Thread.sleep(1000);
        }
    }
}
