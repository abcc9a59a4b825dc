package io.cle.coordinator.informer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.cle.api.ApiFormat;
import io.cle.api.WatchEvent;
import io.cle.kubernetes.KubernetesTransport;
import io.cle.kubernetes.WatchedKind;
import io.cle.runtime.EventLoop;
import io.kubernetes.client.informer.SharedInformerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The informers of a coordinator: leases, candidates and configurations, which run always, so that a standby is warm. Thread-safe.
 */
public final class CoordinatorInformers {

    private static final Logger log = LoggerFactory.getLogger(CoordinatorInformers.class);

    private final SharedInformerFactory factory;
    private final KubernetesTransport transport;
    private final Collection<String> namespaces;
    private final Supplier<ApiFormat> format;
    private final EventLoop loop;
    private final Observations observations;
    private final Runnable doubt;
    private final List<KindContact> contacts = new ArrayList<>();
    private final List<ObservationSource<?, ?>> sources = new ArrayList<>();

    /**
     * Registers the informers with the factory; they don't run yet.
     *
     * @param namespaces the namespaces in scope; empty for all
     * @param format the wire format; not asked before {@link #start()}
     * @param loop where observations arrive
     * @param doubt is run when the API server shows trouble; must not block
     */
    public CoordinatorInformers(
            SharedInformerFactory factory,
            KubernetesTransport transport,
            Collection<String> namespaces,
            Supplier<ApiFormat> format,
            EventLoop loop,
            Observations observations,
            Runnable doubt) {
        this.factory = factory;
        this.transport = transport;
        this.namespaces = namespaces;
        this.format = format;
        this.loop = loop;
        this.observations = observations;
        this.doubt = doubt;
        register("leases", ObservedLease.class, WatchedKind::leases, ObservedLease::new, observations::onLease);
        register(
                "lease candidates",
                ObservedCandidate.class,
                WatchedKind::candidates,
                ObservedCandidate::new,
                observations::onCandidate);
        register(
                "lease configurations",
                ObservedConfiguration.class,
                unused -> WatchedKind.configurations(),
                ObservedConfiguration::new,
                observations::onConfiguration);
    }

    /** Gives a kind in a format. */
    private interface Kinds<T> {
        WatchedKind<T> of(ApiFormat format);
    }

    private <T, O extends Observed<T>> void register(
            String name,
            Class<O> type,
            Kinds<T> kinds,
            Observed.Factory<T, O> objects,
            Consumer<WatchEvent<T>> watcher) {
        KindContact contact =
                new KindContact(name, loop.clock(), this::synced, interrupted -> interrupted(name, interrupted));
        ObservationSource<T, O> source = new ObservationSource<>(
                () -> new ObservedReader<>(kinds.of(format.get()), objects), transport, namespaces, contact);
        contacts.add(contact);
        sources.add(source);
        factory.sharedIndexInformerFor(
                        source, type, 0, (unused, failure) -> log.debug("{}: {}", name, failure.toString()))
                .addEventHandler(new Feed<>(loop, watcher));
    }

    private void interrupted(String name, WatchEvent.Interrupted<?> interrupted) {
        log.warn(
                "{}: {}; next attempt in {} ms",
                name,
                interrupted.message(),
                interrupted.retryIn().toMillis());
        doubt.run();
    }

    /** A list of one kind has been delivered. */
    private void synced() {
        if (contacts.stream().allMatch(contact -> contact.contact().synced())) {
            loop.execute(observations::onSynced);
        }
    }

    /** Observes from now on. */
    public void start() {
        factory.startAllRegisteredInformers();
    }

    /** Observes everything anew, in the format that there is from now on. */
    public void relist() {
        contacts.forEach(KindContact::stale);
        sources.forEach(ObservationSource::relist);
    }

    /** Observes no more; can't be started again. */
    public void stop() {
        sources.forEach(ObservationSource::close);
        factory.stopAllRegisteredInformers();
    }

    /** How the observation of each kind goes. */
    public List<Contact> contacts() {
        return contacts.stream().map(KindContact::contact).toList();
    }
}
