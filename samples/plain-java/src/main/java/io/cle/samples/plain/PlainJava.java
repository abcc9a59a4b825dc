package io.cle.samples.plain;

import java.io.IOException;

import io.cle.LeaderElection;
import io.cle.Term;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.Config;

/** Prints a line a second while this process leads the lease {@code orders}; its replicas wait. Needs no Spring, and runs in any framework. */
public final class PlainJava {

    private PlainJava() {}

    /** Finds the cluster as kubectl does, or the one of the pod that it runs in; ends with Ctrl-C, which releases the lease. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        LeaderElection election = join(Config.defaultClient(), "default");
        Runtime.getRuntime().addShutdownHook(new Thread(election::close));
        Thread.currentThread().join();
    }

    /** Joins the election; {@code close()} leaves it. A framework calls the one when it starts, and the other when it stops. */
    static LeaderElection join(ApiClient client, String namespace) {
        LeaderElection election =
                LeaderElection.builder(client).lease(namespace, "orders").start();
        election.runWhileLeader(PlainJava::work);
        return election;
    }

    /** Is interrupted when the term ends; the next leader begins only after this has returned. */
    private static void work(Term term) throws InterruptedException {
        while (true) {
            System.out.println("leads, with the fencing token " + term.fencingToken());
            Thread.sleep(1000);
        }
    }
}
