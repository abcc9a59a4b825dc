package io.cle.spring.actuate.internal;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the health contributor {@code leaderElection} judges what goes wrong.
 *
 * @param away Status while the API server can't be used or the candidate can't be announced. "UNKNOWN" leaves the health of the
 *     application as it is; "OUT_OF_SERVICE" takes it out of service with all its replicas.
 * @param failing Status while this process leads and work of its term isn't done because it failed.
 * @param draining Status while a term has ended and its work hasn't.
 */
@ConfigurationProperties("management.health.leader-election")
public record LeaderElectionHealthProperties(
        @DefaultValue("UNKNOWN") String away,
        @DefaultValue("DOWN") String failing,
        @DefaultValue("UP") String draining) {}
