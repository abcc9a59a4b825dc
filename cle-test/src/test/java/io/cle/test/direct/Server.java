package io.cle.test.direct;

import java.util.function.Supplier;

import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.test.apiserver.contract.HttpApi;
import io.kubernetes.client.openapi.ApiClient;

/**
 * The API server of a test, for all who stand there.
 *
 * @param client makes a client for client-java's elector
 * @param transport makes the door for ours
 * @param api reads what they have written
 */
record Server(Supplier<ApiClient> client, Supplier<KubernetesTransport> transport, HttpApi api) {}
