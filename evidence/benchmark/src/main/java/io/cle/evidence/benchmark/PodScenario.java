package io.cle.evidence.benchmark;

import java.time.Duration;
import java.util.Map;

import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Event;
import io.cle.evidence.process.Pause;
import io.cle.test.apiserver.memory.ApiServerRequest;

/** A leader is killed, and the kubelet reports it. There is no kubelet here, so the scenario writes the report as soon as the process is dead. */
final class PodScenario implements Scenario {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PODS = "/api/v1/namespaces/" + Lab.NAMESPACE + "/pods";

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        String lease = "pod-" + number;
        String podName = "victim-" + number;
        String uid = lab.api()
                .post(PODS, Lab.parse("""
                        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"},
                         "spec": {"containers": [{"name": "main", "image": "none"}]}}""".formatted(podName)))
                .metadata()
                .get("uid")
                .getAsString();
        Contender heir = lab.ours(lease, "a", "1.1.0");
        heir.await("granted", PATIENCE);
        Contender victim = lab.ours(
                Map.of("POD_NAME", podName, "POD_UID", uid, "POD_NAMESPACE", Lab.NAMESPACE), lease, "b", "1.0.0");
        victim.await("granted", PATIENCE);
        // The coordinator inspects a pod once per term, some seconds after its start, and so distinguishes an end from
        // a restart.
        Pause.of(Duration.ofSeconds(10));

        long killed = victim.kill();
        lab.api().patch(PODS + "/" + podName + "/status", ApiServerRequest.MERGE_PATCH, """
                {"status": {"phase": "Running", "containerStatuses": [
                  {"name": "main", "image": "none", "imageID": "", "ready": false, "restartCount": 0,
                   "state": {"terminated": {"exitCode": 137}}}]}}""");
        Event granted = heir.await("granted", killed, PATIENCE);
        results.add(Line.KILLED_POD, granted.millisSince(killed));
        lab.end(heir, victim);
    }
}
