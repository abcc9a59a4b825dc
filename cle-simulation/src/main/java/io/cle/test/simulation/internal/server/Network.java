package io.cle.test.simulation.internal.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.test.simulation.internal.process.History;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.scenario.NetworkFaults;
import org.jspecify.annotations.Nullable;

/** Delays, loses and repeats requests, answers and events between the processes and the API server. */
public final class Network {

    private static final long FASTEST = 200_000;
    private static final long USUALLY_WITHIN = 4_000_000;

    private final VirtualTime time;
    private final SplittableRandom random;
    private final SimulatedServer server;
    private final Listener listener;
    private final History history;
    private final List<SimulatedWatch> connections = new ArrayList<>();
    private NetworkFaults faults = NetworkFaults.NONE;
    private Admission admission = (process, request) -> request;

    /** Decides whether the API server carries out a request. */
    public interface Admission {
        /** The request to carry out; {@code null} to answer with an error. */
        @Nullable
        ApiRequest admitted(VirtualProcess process, ApiRequest request);
    }

    /** Observes requests and deliveries. */
    public interface Listener {
        /** A process has sent a request. */
        void sent(VirtualProcess process, ApiRequest request);

        /** An object, or a list of them, was delivered to a process. */
        void delivered(VirtualProcess process, JsonObject object);

        /** A process has the answer to a request. */
        default void answered(VirtualProcess process, ApiRequest request, ApiResponse.Answered answer) {}

        /** A request is about to be carried out. */
        void arrived(VirtualProcess process, ApiRequest request);
    }

    /** A network without faults between processes and an API server. */
    public Network(
            VirtualTime time, SplittableRandom random, SimulatedServer server, Listener listener, History history) {
        this.time = time;
        this.random = random;
        this.server = server;
        this.listener = listener;
        this.history = history;
    }

    VirtualTime time() {
        return time;
    }

    SplittableRandom random() {
        return random;
    }

    /** The API server at its other end. */
    public SimulatedServer server() {
        return server;
    }

    Listener listener() {
        return listener;
    }

    /** The record of what happens. */
    public History history() {
        return history;
    }

    NetworkFaults faults() {
        return faults;
    }

    /** Injects these faults. */
    public void faults(NetworkFaults next) {
        faults = next;
    }

    /** Uses this admission. */
    public void admission(Admission next) {
        admission = next;
    }

    /** All open watches, including those whose end no process has observed. */
    public List<SimulatedWatch> connections() {
        return connections;
    }

    /** How long a request, an answer or an event takes. */
    long delay() {
        if (chance(faults.slow())) {
            return random.nextLong(
                    USUALLY_WITHIN,
                    Math.max(USUALLY_WITHIN + 1, faults.slowness().toNanos()));
        }
        return random.nextLong(FASTEST, USUALLY_WITHIN);
    }

    boolean chance(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    void watch(ApiRequest request, SimulatedWatch connection) {
        connections.add(connection);
        time.after(delay(), () -> connection.open(request));
    }

    void send(SimulatedTransport client, ApiRequest request, CompletableFuture<ApiResponse> answer) {
        VirtualProcess process = client.process();
        listener.sent(process, request);
        if (history.on()) {
            history.line(process.name(), "sends " + ObjectSummary.of(request));
            answer.thenAccept(
                    response -> history.line(process.name(), "receives " + ObjectSummary.of(request, response)));
        }
        Exchange exchange = new Exchange(client, request, answer);
        boolean twice = chance(faults.duplicated());
        for (int copy = twice ? 2 : 1; copy > 0; copy--) {
            if (chance(faults.lost()) || client.cutOff()) {
                note(process, "lost on the way: ", request);
            } else {
                time.after(delay(), exchange::arrive);
            }
        }
    }

    /** A request on its way, and its answer on the way back. */
    private final class Exchange {

        private final SimulatedTransport client;
        private final VirtualProcess process;
        private final ApiRequest request;
        private final CompletableFuture<ApiResponse> answer;
        private final VirtualTime.Due timeout;

        Exchange(SimulatedTransport client, ApiRequest request, CompletableFuture<ApiResponse> answer) {
            this.client = client;
            this.process = client.process();
            this.request = request;
            this.answer = answer;
            this.timeout =
                    time.after(process.clock().trueNanos(request.timeout().toNanos()), this::timeOut);
        }

        /** The client gives up by its own clock, and waits while its process is paused. */
        private void timeOut() {
            if (!answer.isDone()) {
                process.run(() -> answer.complete(
                        new ApiResponse.Unanswered(request.describe() + ": no answer within " + request.timeout())));
            }
        }

        private void arrive() {
            if (!server.up()) {
                back(new ApiResponse.Unanswered(request.describe() + ": connection refused"));
                return;
            }
            ApiRequest admitted = admission.admitted(process, request);
            if (admitted == null) {
                back(status(500, "failed calling webhook"));
                return;
            }
            ApiResponse refusal = refusal(request);
            if (refusal != null) {
                back(refusal);
                return;
            }
            listener.arrived(process, request);
            ApiResponse response = server.handle(admitted, process);
            if (request.verb().writes() && chance(faults.failingLate())) {
                note(process, "carried out, and answered with an error: ", request);
                response = status(random.nextBoolean() ? 500 : 504, "injected, although carried out");
            }
            back(response);
        }

        private void back(ApiResponse response) {
            if (chance(faults.answerLost())) {
                note(process, "answer lost: ", request);
            } else {
                time.after(delay(), () -> deliver(response));
            }
        }

        private void deliver(ApiResponse response) {
            if (client.cutOff() || client.closed() || answer.isDone()) {
                return;
            }
            process.step();
            if (!process.alive()) {
                return;
            }
            if (response instanceof ApiResponse.Answered answered) {
                listener.delivered(process, answered.body());
                listener.answered(process, request, answered);
            }
            timeout.cancel();
            answer.complete(response);
        }
    }

    private @Nullable ApiResponse refusal(ApiRequest request) {
        if (chance(faults.throttled())) {
            return new ApiResponse.Answered(429, message("injected"), Duration.ofSeconds(1));
        }
        if (chance(faults.failing())) {
            return status(random.nextBoolean() ? 500 : 504, "injected");
        }
        return request.verb().writes() && chance(faults.conflicting()) ? status(409, "injected") : null;
    }

    private void note(VirtualProcess process, String what, ApiRequest request) {
        if (history.on()) {
            history.line("network", what + process.name() + "'s " + ObjectSummary.of(request));
        }
    }

    /** An answer of which only the code and the message matter. */
    static ApiResponse.Answered status(int code, String message) {
        return new ApiResponse.Answered(code, message(message), null);
    }

    private static JsonObject message(String text) {
        JsonObject status = new JsonObject();
        status.addProperty("message", text);
        return status;
    }
}
