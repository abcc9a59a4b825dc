package io.cle.spring;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AutoClose;

/** On the embedded API server. */
class OnEmbeddedApiServerTests extends OnApiServerContracts {

    @AutoClose
    private static final EmbeddedApiServer SERVER = EmbeddedApiServer.start();

    @Override
    KubernetesAccess access() {
        return KubernetesAccess.at(SERVER.url());
    }
}
