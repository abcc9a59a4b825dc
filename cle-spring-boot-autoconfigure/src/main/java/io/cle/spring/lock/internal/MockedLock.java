package io.cle.spring.lock.internal;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.LeadershipListener;
import io.cle.runtime.LockSnapshot;
import io.cle.runtime.Resignation;
import io.cle.spring.properties.LeaseSettings;
import org.jspecify.annotations.Nullable;

/**
 * A lock that an application's test has replaced by a mock ({@code @MockitoBean}), completed by answers where the mock returns
 * {@code null}: its lifecycle, endpoint and health must not fail for what the test has no reason to stub.
 */
public final class MockedLock implements CoordinatedLeaseLock {

    private final CoordinatedLeaseLock mock;
    private final CoordinatedLeaseLock answers;

    private MockedLock(CoordinatedLeaseLock mock, CoordinatedLeaseLock answers) {
        this.mock = mock;
        this.answers = answers;
    }

    /**
     * The lock itself, or its completion if it doesn't even know its name.
     *
     * @param settings what the answers are made of
     */
    public static CoordinatedLeaseLock withAnswers(CoordinatedLeaseLock lock, LeaseSettings settings) {
        return withAnswers(lock, new NeverLeadingLock(settings.lease(), settings.identity()));
    }

    static CoordinatedLeaseLock withAnswers(CoordinatedLeaseLock lock, CoordinatedLeaseLock answers) {
        @Nullable String name = lock.name();
        return name == null ? new MockedLock(lock, answers) : lock;
    }

    private static <T> T orElse(@Nullable T answer, T otherwise) {
        return answer == null ? otherwise : answer;
    }

    @Override
    public String name() {
        return orElse(mock.name(), answers.name());
    }

    @Override
    public void start() {
        mock.start();
    }

    @Override
    public boolean isRunning() {
        return mock.isRunning();
    }

    @Override
    public CompletionStage<Void> stop() {
        return orElse(mock.stop(), answers.stop());
    }

    @Override
    public void close() {
        mock.close();
    }

    @Override
    public boolean isLeader() {
        return mock.isLeader();
    }

    @Override
    public Optional<String> leader() {
        return orElse(mock.leader(), answers.leader());
    }

    @Override
    public OptionalLong fencingToken() {
        return orElse(mock.fencingToken(), answers.fencingToken());
    }

    @Override
    public CompletionStage<Resignation> resign() {
        return orElse(mock.resign(), answers.resign());
    }

    @Override
    public CompletionStage<Resignation> resign(String successor) {
        return orElse(mock.resign(successor), answers.resign(successor));
    }

    @Override
    public void announcePriority(@Nullable Integer priority) {
        mock.announcePriority(priority);
    }

    @Override
    public LockSnapshot snapshot() {
        return orElse(mock.snapshot(), answers.snapshot());
    }

    @Override
    public void addListener(LeadershipListener listener) {
        mock.addListener(listener);
    }

    @Override
    public void removeListener(LeadershipListener listener) {
        mock.removeListener(listener);
    }
}
