package io.cle.samples.recipes;

import java.time.Duration;

import io.cle.spring.onleader.OnLeader;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Spring Modulith: listeners that have failed, or whose process has ended, are called again on the leader only. If all
 * replicas did so, two could call a listener with the same event; therefore
 * {@code spring.modulith.events.republish-outstanding-events-on-restart} stays off. Set
 * {@code spring.modulith.events.staleness.resubmitted}: without it, a publication whose second call was interrupted is
 * never submitted again.
 *
 * <p>With {@code @OnLeader} on a listener itself, an event that is published elsewhere stays incomplete until the leader submits it.
 */
public class EventRepublication {

    /** Longer than any listener takes. A listener that is still running, on any replica, would be called a second time. */
    private static final Duration OLDER_THAN = Duration.ofMinutes(5);

    private final IncompleteEventPublications publications;

    /** Republishes while this process leads. */
    public EventRepublication(IncompleteEventPublications publications) {
        this.publications = publications;
    }

    /** Runs on the leader only. */
    @OnLeader
    @Scheduled(fixedDelayString = "${recipes.republication.delay:60000}")
    public void republish() {
        publications.resubmitIncompletePublicationsOlderThan(OLDER_THAN);
    }
}
