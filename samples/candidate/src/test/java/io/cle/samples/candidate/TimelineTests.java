package io.cle.samples.candidate;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

import io.cle.RevokeReason;
import io.cle.Shard;
import io.cle.Term;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

class TimelineTests {

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final Timeline timeline = new Timeline(
            new PrintStream(new BufferedOutputStream(written, 1 << 16), false, StandardCharsets.US_ASCII),
            Clock.fixed(Instant.parse("2026-01-01T00:00:00.000042Z"), ZoneOffset.UTC));

    @Test
    void everyEventIsALineOfUnixNanosecondsAndItsNameWrittenAtOnce() {
        Term term = mock(Term.class);

        timeline.onAnnounced();
        timeline.onLeaderChanged("candidate-a");
        timeline.onGranted(term);
        timeline.onRevoked(term, RevokeReason.RESIGNED);

        assertThat(written.toString(StandardCharsets.US_ASCII).lines())
                .containsExactly(
                        "1767225600000042000 boot", "1767225600000042000 granted", "1767225600000042000 revoked");
    }

    @Test
    void anEventOfAShardNamesTheShard() {
        Term term = mock(Term.class);
        when(term.shard()).thenReturn(Optional.of(new Shard(3, 16)));

        timeline.onGranted(term);
        timeline.onRevoked(term, RevokeReason.STOPPED);

        assertThat(written.toString(StandardCharsets.US_ASCII).lines())
                .containsExactly("1767225600000042000 granted 3/16", "1767225600000042000 revoked 3/16");
    }
}
