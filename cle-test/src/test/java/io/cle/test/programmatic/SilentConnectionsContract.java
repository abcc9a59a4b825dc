package io.cle.test.programmatic;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.Timings;
import io.cle.plain.LeaderElection;
import io.kubernetes.client.openapi.ApiClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A leader whose established connections, including those of its watches, suddenly go silent, while new ones work. */
abstract class SilentConnectionsContract {

    /** The default timings, two and a half times as fast. */
    private static final Timings TIMINGS =
            new Timings(Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofMillis(800));

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Returns a new client of the server. */
    abstract ApiClient client();

    @Test
    void keepsItsTerm() throws IOException, InterruptedException {
        ApiClient client = client();
        List<RevokeReason> revoked = new CopyOnWriteArrayList<>();
        try (SilencedProxy proxy = new SilencedProxy(URI.create(client.getBasePath()));
                LeaderElection election = LeaderElection.builder(client.setBasePath(proxy.url()))
                        .lease("default", "silent-" + UUID.randomUUID())
                        .identity("leader")
                        .timings(TIMINGS)
                        .start()) {
            election.lock().addListener(new LeadershipListener() {
                @Override
                public void onRevoked(Term term, RevokeReason reason) {
                    revoked.add(reason);
                }
            });
            assertThat(election.awaitLeadership(PATIENCE)).isTrue();
            OptionalLong token = election.lock().fencingToken();
            Instant before = renewed(election);
            Awaitility.await().atMost(PATIENCE).until(() -> renewed(election).isAfter(before));
            int connections = proxy.accepted();

            proxy.silence();

            Instant last = renewed(election);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> renewed(election).isAfter(last.plus(TIMINGS.renewDeadline())) || !revoked.isEmpty());
            assertThat(revoked).isEmpty();
            assertThat(election.lock().fencingToken()).isEqualTo(token);
            assertThat(proxy.accepted()).isGreaterThan(connections);
        }
    }

    private static Instant renewed(LeaderElection election) {
        return Objects.requireNonNull(election.lock().snapshot().observed().renewTime());
    }
}
