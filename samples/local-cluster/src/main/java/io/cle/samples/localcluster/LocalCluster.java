package io.cle.samples.localcluster;

import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

import io.cle.ApiFormat;
import io.cle.Timings;
import io.cle.election.internal.ElectionPolicy;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.coordinator.EmbeddedCoordinator;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.PageServer;

/**
 * The program: {@code java -jar local-cluster.jar}. Applications reach it by {@code cle.kubernetes.base-url},
 * {@code kubectl} by {@code --server}. All data is lost when it ends.
 */
public final class LocalCluster implements AutoCloseable {

    private static final int MISUSE = 64;

    private final EmbeddedApiServer apiServer;
    private final EmbeddedCoordinator coordinator;
    private final PageServer page;

    private LocalCluster(EmbeddedApiServer apiServer, EmbeddedCoordinator coordinator, PageServer page) {
        this.apiServer = apiServer;
        this.coordinator = coordinator;
        this.page = page;
    }

    /**
     * Starts the cluster.
     *
     * @throws UncheckedIOException if a port is in use
     */
    static LocalCluster start(Options options) {
        ApiFormat format = options.nativeFormat() ? ApiFormat.NATIVE : ApiFormat.CRD;
        EmbeddedApiServer apiServer = EmbeddedApiServer.builder()
                .port(options.port())
                .serveNative(options.nativeFormat())
                .start();
        EmbeddedCoordinator coordinator = EmbeddedCoordinator.start(
                apiServer.url(), format, ElectionPolicy.DEFAULT, Timings.DEFAULT.requestTimeout());
        try {
            PageServer page = PageServer.start(
                    options.electionsPort(),
                    new CoordinatorSnapshots.OfLoop(
                            coordinator.loop(),
                            ElectionPolicy.DEFAULT,
                            () -> Optional.of("this local cluster"),
                            () -> Optional.of(format)));
            return new LocalCluster(apiServer, coordinator, page);
        } catch (UncheckedIOException e) {
            coordinator.close();
            apiServer.close();
            throw e;
        }
    }

    /** Returns the URL of the API server. */
    String url() {
        return apiServer.url();
    }

    /** Returns the URL of the page with the elections. */
    String electionsUrl() {
        return page.url();
    }

    /** Prints how to use it. */
    void explain(PrintStream out) {
        List.of(
                        "A cluster runs in this process, an API server and a coordinator, until Ctrl-C.",
                        "",
                        "  your application   --cle.kubernetes.base-url=" + url(),
                        "  kubectl            kubectl --server " + url() + " get leases --all-namespaces --watch",
                        "  who leads and why  " + electionsUrl(),
                        "")
                .forEach(out::println);
        out.flush();
    }

    @Override
    public void close() {
        page.close();
        coordinator.close();
        apiServer.close();
    }

    /** Runs until a signal ends the process. */
    public static void main(String[] args) throws InterruptedException {
        LocalCluster cluster;
        try {
            cluster = start(Options.parse(args));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n\n" + Options.USAGE);
            System.exit(MISUSE);
            return;
        } catch (UncheckedIOException e) {
            System.err.println(e.getMessage() + "; is another local cluster running? Choose another one by --port.");
            System.exit(1);
            return;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "local-cluster-end"));
        cluster.explain(System.out);
        new CountDownLatch(1).await();
    }
}
