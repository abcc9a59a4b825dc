package io.cle.spring.properties.internal;

import java.time.Duration;

import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.model.ObjectKey;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.OnLost;

/**
 * All that holds for one lease, checked.
 *
 * @param name what the lease is called in this application: the key under {@code cle.leases}, or the default lease's name
 * @param lease where the record stands
 * @param identity under what name this process holds it: {@code <lease>-<identity>} for coordinated leases, else the identity
 * @param resourceLock what is led by
 * @param api the wire format
 * @param timings the three durations
 * @param drainTimeout how long revoked work is waited for
 * @param candidate what is announced; unused where {@link #resourceLock()} isn't coordinated
 * @param fallbackEnabled whether to race for a lease that no coordinator grants
 * @param fallbackDelay for how long it must have been free or expired
 * @param onLost what to do when leadership is lost
 */
public record LeaseSettings(
        String name,
        ObjectKey lease,
        String identity,
        ResourceLock resourceLock,
        ApiSelection api,
        Timings timings,
        Duration drainTimeout,
        CandidateSettings candidate,
        boolean fallbackEnabled,
        Duration fallbackDelay,
        OnLost onLost) {}
