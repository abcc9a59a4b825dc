package io.cle.samples.upgrade;

import java.util.OptionalLong;

import io.cle.model.Version;
import io.cle.samples.narration.Problems;
import io.cle.samples.narration.Stopwatch;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OverlapWatchTest {

    private static final long LONG_AGO = -3_600_000_000_000L;

    private final Problems problems = new Problems();
    private final OverlapWatch watch = new OverlapWatch(new Stopwatch(), problems);
    private final Puppet older = new Puppet("older", "1.0.0");
    private final Puppet newer = new Puppet("newer", "1.1.0");

    @Test
    void findsNothingWrongWhenLeadershipMovesOnWithAHigherToken() {
        observe();
        newer.token = OptionalLong.of(10);
        watch.sample();
        newer.token = OptionalLong.empty();
        older.token = OptionalLong.of(11);
        watch.sample();

        assertThat(problems.messages()).isEmpty();
        assertThat(watch.samples()).isEqualTo(2);
    }

    @Test
    void findsALeaderThatGoesOnAfterItsSuccessorHasBegun() {
        observe();
        newer.token = OptionalLong.of(10);
        watch.sample();
        older.token = OptionalLong.of(11);
        watch.sample();
        watch.sample();

        assertThat(problems.messages()).isNotEmpty().first().asString().contains("newer still led under token 10");
    }

    @Test
    void findsTwoThatLeadUnderOneToken() {
        observe();
        newer.token = OptionalLong.of(10);
        older.token = OptionalLong.of(10);
        watch.sample();

        assertThat(problems.messages()).singleElement().asString().contains("both led under token 10");
    }

    @Test
    void findsANewerVersionThatLeadsWhileAnOlderOneStands() {
        observe();
        older.candidateSince = OptionalLong.of(LONG_AGO);
        newer.token = OptionalLong.of(10);
        watch.sample();

        assertThat(problems.messages()).singleElement().asString().contains("although older (1.0.0) was a candidate");
    }

    @Test
    void letsANewerVersionLeadWhileAnOlderOneHasOnlyJustCome() {
        observe();
        older.candidateSince = OptionalLong.of(0);
        newer.token = OptionalLong.of(10);
        watch.sample();

        assertThat(problems.messages()).isEmpty();
    }

    private void observe() {
        watch.observe(older);
        watch.observe(newer);
    }

    private static final class Puppet implements Observed {

        private final String name;
        private final Version version;
        private OptionalLong token = OptionalLong.empty();
        private OptionalLong candidateSince = OptionalLong.empty();

        Puppet(String name, String version) {
            this.name = name;
            this.version = Version.parse(version);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Version version() {
            return version;
        }

        @Override
        public OptionalLong fencingToken() {
            return token;
        }

        @Override
        public OptionalLong candidateSince() {
            return candidateSince;
        }
    }
}
