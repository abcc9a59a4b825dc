package io.cle.test.apiserver.real;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.LoopbackPorts;
import org.jspecify.annotations.Nullable;

/** An etcd member, which keeps its data when it is stopped. Guarded by its control plane. */
final class EtcdMember {

    private final Home home;
    private final String name;
    private final int client = LoopbackPorts.free();
    private final int peer;
    private final int advertised;
    private @Nullable GuardedProcess process;

    /**
     * A member that isn't started yet.
     *
     * @param peer its port for the other members
     * @param advertised the port where they reach it
     */
    EtcdMember(Home home, String name, int peer, int advertised) {
        this.home = home;
        this.name = name;
        this.peer = peer;
        this.advertised = advertised;
    }

    String name() {
        return name;
    }

    /** Where it listens for clients. */
    URI uri() {
        return URI.create("http://127.0.0.1:" + client);
    }

    Path data() {
        return home.resolve("data").resolve(name);
    }

    boolean running() {
        return process != null && process.running();
    }

    /** Uses new connections, because a restart breaks existing ones. */
    HttpApi api() {
        return new HttpApi(uri());
    }

    boolean answers() {
        return Readiness.answers(api(), "/health");
    }

    JsonObject status() {
        return Readiness.status(api());
    }

    /** Starts it if it doesn't run. */
    void start(List<EtcdMember> members) {
        if (running()) {
            return;
        }
        String cluster = members.stream()
                .map(member -> member.name + "=http://127.0.0.1:" + member.advertised)
                .collect(Collectors.joining(","));
        process = GuardedProcess.start(
                name,
                List.of(
                        home.programs().resolve("etcd").toString(),
                        "--name=" + name,
                        "--data-dir=" + data(),
                        "--listen-client-urls=" + uri(),
                        "--advertise-client-urls=" + uri(),
                        "--listen-peer-urls=http://127.0.0.1:" + peer,
                        "--initial-advertise-peer-urls=http://127.0.0.1:" + advertised,
                        "--initial-cluster=" + cluster,
                        "--unsafe-no-fsync"),
                home.directory());
    }

    /** Waits until it answers, which it does only as part of a majority. */
    void awaitReady() {
        Objects.requireNonNull(process).awaitReady(this::answers);
    }

    /** Kills it. */
    void stop() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }
}
