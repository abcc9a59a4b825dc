package io.cle.test.programmatic;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What a kubeconfig's {@code as} is to a kube-apiserver. */
@EnabledIfRealApiServer
class RealApiServerKubeconfigTest {

    private static final ApiRequest LIST =
            new ApiRequest(Verb.GET, ResourceType.LEASES, "default", null, Map.of(), null, Duration.ofSeconds(30));

    @TempDir
    private Path directory;

    @Test
    void ofAnotherUserHasThatUsersRightsAndNotThoseOfItsOwnToken() throws Exception {
        ApiResponse.Answered answer = answerTo("as: jane");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body().get("message").getAsString()).contains("User \"jane\" cannot list resource");
    }

    @Test
    void ofAnotherUserWithGroupsHasTheRightsOfTheGroups() throws Exception {
        assertThat(answerTo("as: jane, as-groups: [developers, system:masters], as-user-extra: {example.com/team: [a]}")
                        .status())
                .isEqualTo(200);
    }

    private ApiResponse.Answered answerTo(String as) throws Exception {
        try (OkHttpTransport transport = OkHttpTransport.to(access(as))) {
            return (ApiResponse.Answered)
                    transport.send(LIST).toCompletableFuture().get();
        }
    }

    private KubernetesAccess access(String as) throws IOException {
        String text = Files.readString(RealApiServer.shared().kubeconfig());
        return KubernetesAccess.of(Files.writeString(
                directory.resolve("config"),
                text.replaceFirst("user:\\s+token: (\\S+)", "user: {token: $1, " + as + "}")));
    }
}
