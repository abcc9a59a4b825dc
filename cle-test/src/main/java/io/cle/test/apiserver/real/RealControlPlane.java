package io.cle.test.apiserver.real;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.LoopbackPorts;
import io.cle.test.apiserver.contract.HttpApi;
import org.jspecify.annotations.Nullable;

/**
 * A highly available control plane of real processes: three etcd members and two kube-apiservers, each of which asks the etcd member of its
 * own number only, as {@code kubeadm} installs it. Everything is on free ports of the loopback interface, with our CRDs applied; everything
 * is allowed to its user. Its data stand in a temporary directory that goes with it. Thread-safe.
 */
public final class RealControlPlane implements AutoCloseable {

    /** How many etcd members there are. */
    public static final int MEMBERS = 3;

    /** How many kube-apiservers there are. */
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

    private final Path programs;
    private final Path home;
    private final Credentials credentials;
    private final List<Member> members = new ArrayList<>();
    private final List<Server> servers = new ArrayList<>();

    private RealControlPlane(Wiring wiring) {
        programs = Assets.PLAIN
                .directory()
                .orElseThrow(() -> new IllegalStateException(Assets.PLAIN.variable()
                        + " is not set: it must name the directory that holds kube-apiserver and etcd"));
        home = RealApiServer.temporaryDirectory();
        credentials = Credentials.create(home);
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "real-control-plane-end"));
        for (int i = 0; i < MEMBERS; i++) {
            int peer = LoopbackPorts.free();
            members.add(new Member("etcd-" + i, LoopbackPorts.free(), peer, wiring.peer(i, peer)));
        }
        for (int i = 0; i < API_SERVERS; i++) {
            servers.add(
                    new Server("kube-apiserver-" + i, LoopbackPorts.free(), wiring.etcdOf(i, members.get(i).client)));
        }
        startEtcd();
        for (int i = 0; i < API_SERVERS; i++) {
            startApiServer(i);
        }
        for (int i = 0; i < API_SERVERS; i++) {
            new CustomResources(api(i)).apply(CustomResourceDefinitions.all());
        }
    }

    /** Starts one, from {@code KUBEBUILDER_ASSETS}, and waits until it's ready. */
    public static RealControlPlane start(Wiring wiring) {
        return new RealControlPlane(wiring);
    }

    /** Where a kube-apiserver is: {@code https://127.0.0.1:<port>}; the same for its whole life. */
    public URI uri(int apiServer) {
        return servers.get(apiServer).uri();
    }

    /** A kubeconfig for the first kube-apiserver; the other one has the same certificate and users. */
    public Path kubeconfig() {
        return home.resolve("kubeconfig");
    }

    /** The API of a kube-apiserver as it is on the wire. */
    public HttpApi api(int apiServer) {
        return new HttpApi(uri(apiServer), credentials.sslContext(), Credentials.TOKEN);
    }

    /** The identity of a running etcd member, as it stands in the header {@code X-Server-From} of what it sends to its peers. */
    public String memberId(int member) {
        return hex(members.get(member).status().getAsJsonObject("header").get("member_id"));
    }

    /** The number of the etcd member that leads, as far as a running member knows. */
    public synchronized OptionalInt etcdLeader() {
        for (Member member : members) {
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

    /** Whether an etcd member answers, which it does only while it is of a majority. */
    public boolean etcdAnswers(int member) {
        return members.get(member).answers();
    }

    /** Kills a kube-apiserver. */
    public synchronized void stopApiServer(int number) {
        servers.get(number).stop();
    }

    /** Starts a kube-apiserver if it doesn't run, and waits until it's ready. */
    public synchronized void startApiServer(int number) {
        servers.get(number).start();
    }

    /** Kills an etcd member. */
    public synchronized void stopMember(int number) {
        members.get(number).stop();
    }

    /** Starts an etcd member, with its data, if it doesn't run, and waits until it's ready. */
    public synchronized void startMember(int number) {
        members.get(number).start();
        members.get(number).awaitReady();
    }

    /** Kills all etcd members at once. */
    public synchronized void stopEtcd() {
        members.forEach(Member::stop);
    }

    /** Starts all etcd members that don't run, with their data, and waits until they are ready. */
    public synchronized void startEtcd() {
        members.forEach(Member::start);
        members.forEach(Member::awaitReady);
    }

    /** Copies the data of all etcd members, which have to be stopped: they are of one instant then. One backup is kept. */
    public synchronized void backUpEtcd() {
        requireStopped();
        RealApiServer.remove(backup());
        members.forEach(member -> RealApiServer.copy(member.data(), backup().resolve(member.name)));
    }

    /** Whether there is a backup. */
    public boolean hasBackup() {
        return Files.exists(backup());
    }

    /**
     * Replaces the data of all etcd members by those of the backup; all members and kube-apiservers have to be stopped. As after
     * {@code etcdutl snapshot restore} without {@code --bump-revision}, resourceVersions run backwards.
     */
    public synchronized void restoreEtcd() {
        requireStopped();
        if (servers.stream().anyMatch(Server::running)) {
            throw new IllegalStateException("a kube-apiserver still runs, whose caches are of the state before");
        }
        for (Member member : members) {
            RealApiServer.remove(member.data());
            RealApiServer.copy(backup().resolve(member.name), member.data());
        }
    }

    private Path backup() {
        return home.resolve("backup");
    }

    private void requireStopped() {
        if (members.stream().anyMatch(Member::running)) {
            throw new IllegalStateException("an etcd member still runs and writes to its data");
        }
    }

    /** Makes etcd forget its history up to now, as a real cluster's does every five minutes. */
    public void compact() {
        Readiness.compact(members.get(0).uri());
    }

    /** Ends all processes and removes their data. Does nothing the second time. */
    @Override
    public synchronized void close() {
        servers.forEach(Server::stop);
        members.forEach(Member::stop);
        RealApiServer.remove(home);
    }

    /** An etcd member. Guarded by the control plane. */
    private final class Member {

        private final String name;
        private final int client;
        private final int peer;
        private final int advertised;
        private @Nullable GuardedProcess process;

        Member(String name, int client, int peer, int advertised) {
            this.name = name;
            this.client = client;
            this.peer = peer;
            this.advertised = advertised;
        }

        URI uri() {
            return URI.create("http://127.0.0.1:" + client);
        }

        Path data() {
            return home.resolve("data").resolve(name);
        }

        boolean running() {
            return process != null && process.running();
        }

        boolean answers() {
            return Readiness.answers(uri().resolve("/health"), null, null);
        }

        JsonObject status() {
            return Readiness.status(uri());
        }

        void start() {
            if (running()) {
                return;
            }
            String cluster = members.stream()
                    .map(member -> member.name + "=http://127.0.0.1:" + member.advertised)
                    .collect(Collectors.joining(","));
            process = GuardedProcess.start(
                    name,
                    List.of(
                            programs.resolve("etcd").toString(),
                            "--name=" + name,
                            "--data-dir=" + data(),
                            "--listen-client-urls=" + uri(),
                            "--advertise-client-urls=" + uri(),
                            "--listen-peer-urls=http://127.0.0.1:" + peer,
                            "--initial-advertise-peer-urls=http://127.0.0.1:" + advertised,
                            "--initial-cluster=" + cluster,
                            "--unsafe-no-fsync"),
                    home);
        }

        void awaitReady() {
            Objects.requireNonNull(process).awaitReady(this::answers);
        }

        void stop() {
            if (process != null) {
                process.kill();
                process = null;
            }
        }
    }

    /** A kube-apiserver. Guarded by the control plane. */
    private final class Server {

        private final String name;
        private final int port;
        private final int etcd;
        private @Nullable GuardedProcess process;

        Server(String name, int port, int etcd) {
            this.name = name;
            this.port = port;
            this.etcd = etcd;
        }

        URI uri() {
            return URI.create("https://127.0.0.1:" + port);
        }

        boolean running() {
            return process != null && process.running();
        }

        void start() {
            if (running()) {
                return;
            }
            GuardedProcess started = GuardedProcess.start(
                    name,
                    RealApiServer.apiServerCommand(
                            programs, home, credentials, "http://127.0.0.1:" + etcd, port, List.of()),
                    home);
            process = started;
            Path certificate = home.resolve("certs").resolve("apiserver.crt");
            started.awaitReady(() -> credentials.trust(certificate)
                    && Readiness.answers(uri().resolve("/readyz"), credentials.sslContext(), Credentials.TOKEN));
            credentials.writeKubeconfig(
                    kubeconfig(), RealControlPlane.this.uri(0).toString());
        }

        void stop() {
            if (process != null) {
                process.kill();
                process = null;
            }
        }
    }
}
