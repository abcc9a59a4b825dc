package io.cle.test.simulation.internal.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.store.internal.Subscription;
import io.cle.test.simulation.internal.process.VirtualProcess;

/** One process's access to the network. */
public final class SimulatedTransport implements KubernetesTransport {

    private final Network network;
    private final VirtualProcess process;
    private boolean cutOff;
    private boolean closed;
    private boolean deaf;

    /** The connection of a process. */
    public SimulatedTransport(Network network, VirtualProcess process) {
        this.network = network;
        this.process = process;
    }

    /** The process that it belongs to. */
    public VirtualProcess process() {
        return process;
    }

    /** Whether nothing gets through at the moment, in either direction. */
    public boolean cutOff() {
        return cutOff;
    }

    /** Cuts the connection off in both directions, or restores it. */
    public void cutOff(boolean isCutOff) {
        cutOff = isCutOff;
    }

    /** Whether no watch delivers anything, those that are opened later included. */
    boolean deaf() {
        return deaf;
    }

    /** Silences all watches from now on. */
    public void deafen() {
        deaf = true;
    }

    boolean closed() {
        return closed;
    }

    @Override
    public CompletionStage<ApiResponse> send(ApiRequest request) {
        CompletableFuture<ApiResponse> answer = new CompletableFuture<>();
        process.step();
        outside(() -> {
            network.send(this, request, answer);
            process.step();
        });
        return answer;
    }

    @Override
    public Subscription watch(ApiRequest request, WatchStream stream) {
        SimulatedWatch connection = new SimulatedWatch(network, this, request, stream);
        process.step();
        outside(() -> network.watch(request, connection));
        return connection;
    }

    /** Sends only while the process runs: it may have paused in the middle of a task. */
    private void outside(Runnable sending) {
        if (closed || !process.alive()) {
            return;
        }
        if (process.paused()) {
            process.run(sending);
        } else {
            sending.run();
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
