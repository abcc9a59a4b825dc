package io.cle.test.apiserver.real;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import com.google.gson.JsonElement;
import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.LoopbackPorts;
import org.jspecify.annotations.Nullable;

/**
 * A highly available control plane of real processes: three etcd members and two kube-apiservers. As installed by
 * {@code kubeadm}, each kube-apiserver uses only the etcd member of its own number. Everything is on free loopback ports,
 * with our CRDs applied. Its user has all permissions. {@link #close()} removes its temporary data directory. Thread-safe.
 */
public final class RealControlPlane implements AutoCloseable {

    /** The number of etcd members. */
    public static final int MEMBERS = 3;

    /** The number of kube-apiservers. */
    public static final int API_SERVERS = 2;

    /** Where the processes connect to, so that a test can put a proxy between any two. */
    public interface Wiring {

        /** The processes connect to each other directly. */
        Wiring DIRECT = new Wiring() {
            @Override
            public int peer(int member, int port) {
                return port;
            }

            @Override
            public int etcdOf(int apiServer, int port) {
                return port;
            }
        };

        /**
         * Where the other members reach an etcd member.
         *
         * @param member its number, from 0
         * @param port where it listens for its peers
         * @return the port that it advertises
         */
        int peer(int member, int port);

        /**
         * Where a kube-apiserver reaches its etcd member.
         *
         * @param apiServer its number, from 0
         * @param port where the etcd member listens for clients
         * @return the port that kube-apiserver connects to
         */
        int etcdOf(int apiServer, int port);
    }

    private final Home home = Home.of(Assets.PLAIN);
    private final List<EtcdMember> members = new ArrayList<>();
    private final List<KubeApiserver> servers = new ArrayList<>();

    private RealControlPlane(Wiring wiring) {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "real-control-plane-end"));
        for (int i = 0; i < MEMBERS; i++) {
            int peer = LoopbackPorts.free();
            members.add(new EtcdMember(home, "etcd-" + i, peer, wiring.peer(i, peer)));
        }
        for (int i = 0; i < API_SERVERS; i++) {
            int etcd = wiring.etcdOf(i, members.get(i).uri().getPort());
            servers.add(new KubeApiserver(home, "kube-apiserver-" + i, URI.create("http://127.0.0.1:" + etcd)));
        }
        startEtcd();
        for (int i = 0; i < API_SERVERS; i++) {
            startApiServer(i);
        }
        for (int i = 0; i < API_SERVERS; i++) {
            new CustomResourceSetup(api(i)).apply(CustomResourceDefinitions.all());
        }
    }

    /** Starts one, from {@code KUBEBUILDER_ASSETS}, and waits until it's ready. */
    public static RealControlPlane start(Wiring wiring) {
        return new RealControlPlane(wiring);
    }

    /** Returns a kube-apiserver's {@code https://127.0.0.1:<port>}, which never changes. */
    public URI uri(int apiServer) {
        return servers.get(apiServer).uri();
    }

    /** A kubeconfig for the first kube-apiserver; the other one has the same certificate and users. */
    public Path kubeconfig() {
        return home.kubeconfig();
    }

    /** Returns the raw HTTP API of a kube-apiserver. */
    public HttpApi api(int apiServer) {
        return servers.get(apiServer).api();
    }

    /** Returns the ID of a running etcd member, as in the header {@code X-Server-From} of its requests to peers. */
    public String memberId(int member) {
        return hex(members.get(member).status().getAsJsonObject("header").get("member_id"));
    }

    /** Returns the number of the etcd leader, as far as a running member knows. */
    public synchronized OptionalInt etcdLeader() {
        for (EtcdMember member : members) {
            if (member.running() && member.answers()) {
                String leader = hex(member.status().get("leader"));
                return IntStream.range(0, MEMBERS)
                        .filter(i -> members.get(i).running() && memberId(i).equals(leader))
                        .findFirst();
            }
        }
        return OptionalInt.empty();
    }

    private static String hex(@Nullable JsonElement id) {
        return id == null ? "" : Long.toHexString(Long.parseUnsignedLong(id.getAsString()));
    }

    /** Whether an etcd member answers, which it does only as part of a majority. */
    public boolean etcdAnswers(int member) {
        return members.get(member).answers();
    }

    /** Kills a kube-apiserver. */
    public synchronized void stopApiServer(int number) {
        servers.get(number).stop();
    }

    /** Starts a kube-apiserver if it doesn't run, and waits until it's ready. */
    public synchronized void startApiServer(int number) {
        servers.get(number).start(List.of());
        home.credentials().writeKubeconfig(kubeconfig(), uri(0).toString());
    }

    /** Kills an etcd member. */
    public synchronized void stopMember(int number) {
        members.get(number).stop();
    }

    /** Starts an etcd member, with its data, if it doesn't run, and waits until it's ready. */
    public synchronized void startMember(int number) {
        members.get(number).start(members);
        members.get(number).awaitReady();
    }

    /** Kills all etcd members at once. */
    public synchronized void stopEtcd() {
        members.forEach(EtcdMember::stop);
    }

    /** Starts all etcd members that don't run, with their data, and waits until they are ready. */
    public synchronized void startEtcd() {
        members.forEach(member -> member.start(members));
        members.forEach(EtcdMember::awaitReady);
    }

    /** Copies the data of all etcd members, which must be stopped for consistency. Only one backup is kept. */
    public synchronized void backUpEtcd() {
        requireStopped();
        Home.remove(backup());
        members.forEach(member -> Home.copy(member.data(), backup().resolve(member.name())));
    }

    /** Whether there is a backup. */
    public boolean hasBackup() {
        return Files.exists(backup());
    }

    /**
     * Replaces the data of all etcd members with the backup; all members and kube-apiservers must be stopped. As after
     * {@code etcdutl snapshot restore} without {@code --bump-revision}, resourceVersions go backwards.
     */
    public synchronized void restoreEtcd() {
        requireStopped();
        if (servers.stream().anyMatch(KubeApiserver::running)) {
            throw new IllegalStateException("a kube-apiserver is still running, with caches of the previous state");
        }
        for (EtcdMember member : members) {
            Home.remove(member.data());
            Home.copy(backup().resolve(member.name()), member.data());
        }
    }

    private Path backup() {
        return home.resolve("backup");
    }

    private void requireStopped() {
        if (members.stream().anyMatch(EtcdMember::running)) {
            throw new IllegalStateException("an etcd member is still running and writes to its data");
        }
    }

    /** Compacts etcd's history up to now, as a real cluster does every five minutes. */
    public void compact() {
        Readiness.compact(members.get(0).api());
    }

    /** Stops all processes and removes their data. Idempotent. */
    @Override
    public synchronized void close() {
        servers.forEach(KubeApiserver::stop);
        members.forEach(EtcdMember::stop);
        home.remove();
    }
}
