package io.cle.test.direct;

import java.io.IOException;
import java.time.Duration;

import io.cle.ResourceLock;
import io.cle.model.ObjectKey;
import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.Lock;
import io.kubernetes.client.extended.leaderelection.resourcelock.ConfigMapLock;
import io.kubernetes.client.extended.leaderelection.resourcelock.EndpointsLock;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.kubernetes.client.openapi.ApiClient;

/**
 * client-java's elector and its work. Its retry period must be whole seconds: {@code close()} waits that many, rounded
 * down, for its threads, and doesn't release the record if they take longer.
 */
final class ClientJavaElector implements AutoCloseable {

    private final LeaderElector elector;
    private final Thread thread;
    private volatile boolean works;
    private volatile boolean cut;

    private ClientJavaElector(Server server, ResourceLock kind, ObjectKey key, String identity) {
        ApiClient client = server.client().get();
        client.setHttpClient(client.getHttpClient()
                .newBuilder()
                .addInterceptor(chain -> {
                    if (cut) {
                        throw new IOException("the test has cut the connection");
                    }
                    return chain.proceed(chain.request());
                })
                .build());
        elector = new LeaderElector(new LeaderElectionConfig(
                lock(kind, key, identity, client), Timing.LEASE, Timing.DEADLINE, Duration.ofSeconds(1)));
        thread = new Thread(() -> elector.run(() -> works = true, () -> works = false), identity);
        thread.setDaemon(true);
    }

    /** Starts an elector, which is a candidate for the record at once. */
    static ClientJavaElector start(Server server, ResourceLock kind, ObjectKey key, String identity) {
        ClientJavaElector started = new ClientJavaElector(server, kind, key, identity);
        started.thread.start();
        return started;
    }

    private static Lock lock(ResourceLock kind, ObjectKey key, String identity, ApiClient client) {
        return switch (kind) {
            case COORDINATEDLEASES, LEASES -> new LeaseLock(key.namespace(), key.name(), identity, client);
            case ENDPOINTS -> new EndpointsLock(key.namespace(), key.name(), identity, client);
            case CONFIGMAPS -> new ConfigMapLock(key.namespace(), key.name(), identity, client);
        };
    }

    /** Whether its work runs. */
    boolean works() {
        return works;
    }

    /** Drops all its requests from now on: it loses the record by its renew deadline. */
    void cut() {
        cut = true;
    }

    /** Ends its work, and then releases the record. {@code LeaderElector.close()} alone has the opposite order. */
    @Override
    public void close() {
        works = false;
        elector.close();
        thread.interrupt();
    }
}
