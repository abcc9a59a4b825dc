package io.cle.spring.boot;

import java.util.List;

import io.cle.rehearsal.Rehearsal;
import io.cle.rehearsal.TlsRehearsal;
import io.cle.spring.event.LeadershipEventPublisher;
import io.cle.spring.lock.RehearsedLocks;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;

/**
 * Rehearses the election while the application starts, on the thread that Spring Boot has for such things, so that the first hand-over
 * isn't slowed down by code that has never been run. Spring Boot's {@code spring.backgroundpreinitializer.ignore} turns it off, and it
 * does so itself where there is one processor only.
 */
final class ElectionPreinitializer implements BackgroundPreinitializer {

    @Override
    public void preinitialize() {
        TlsRehearsal.perform();
        Rehearsal.perform(new RehearsedLocks(List.of(new LeadershipEventPublisher(event -> {}))));
    }
}
