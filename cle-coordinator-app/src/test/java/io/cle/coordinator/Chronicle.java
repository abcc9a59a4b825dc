package io.cle.coordinator;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** What an administrator did and all processes observed, in order. Thread-safe. */
final class Chronicle {

    private final List<String> lines = new ArrayList<>();
    private final List<String> holders = new ArrayList<>();
    private final List<Long> tokens = new ArrayList<>();
    private final List<View> views = new ArrayList<>();
    private int leading;

    /** The holders that a process has observed, in order. */
    private record View(String who, List<String> holders) {}

    /** Notes an action on the cluster. */
    synchronized void note(String line) {
        lines.add(line);
    }

    /** Records what a process observes. */
    synchronized LeadershipListener of(String who, String identity) {
        View view = new View(who, new ArrayList<>());
        views.add(view);
        return new LeadershipListener() {
            @Override
            public void onGranted(Term term) {
                granted(who, identity, term.fencingToken());
            }

            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                revoked(who);
            }

            @Override
            public void onLeaderChanged(@Nullable String holder) {
                sees(view, holder);
            }
        };
    }

    private synchronized void granted(String who, String identity, long token) {
        lines.add(who + " leads");
        holders.add(identity);
        tokens.add(token);
        leading++;
    }

    private synchronized void revoked(String who) {
        lines.add(who + " leads no more");
        leading--;
    }

    private synchronized void sees(View view, @Nullable String holder) {
        if (holder != null) {
            view.holders().add(holder);
        }
    }

    /** Whether any process leads. */
    synchronized boolean aProcessLeads() {
        return leading > 0;
    }

    /** Whether a process is the only leader. */
    synchronized boolean leads(String who) {
        return leading == 1 && lines.lastIndexOf(who + " leads") > lines.lastIndexOf(who + " leads no more");
    }

    /** Fails unless exactly this has happened, in this order for every process, and fencing tokens have only grown. */
    synchronized void tells(List<String> expected) {
        assertThat(lines).containsExactlyElementsOf(expected);
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        views.forEach(view -> assertThat(inOrder(view.holders()))
                .as("%s saw %s, of %s", view.who(), view.holders(), holders)
                .isTrue());
    }

    private boolean inOrder(List<String> seen) {
        Iterator<String> actual = holders.iterator();
        for (String holder : seen) {
            boolean found = false;
            while (!found && actual.hasNext()) {
                found = actual.next().equals(holder);
            }
            if (!found) {
                return false;
            }
        }
        return true;
    }
}
