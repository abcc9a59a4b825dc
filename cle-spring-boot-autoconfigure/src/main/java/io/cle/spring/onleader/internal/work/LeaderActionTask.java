package io.cle.spring.onleader.internal.work;

import io.cle.LeaderAction;
import io.cle.spring.onleader.internal.bean.OnLeaderTarget;
import io.cle.spring.onleader.internal.term.LeaderRun;

/** Work of a lease that was created at run time. */
record LeaderActionTask(String name, LeaderAction action) implements LeaderTask {

    @Override
    public OnLeaderTarget target() {
        return OnLeaderTarget.DEFAULT;
    }

    @Override
    public void run(LeaderRun run) throws Exception {
        action.run(run.granted());
    }
}
