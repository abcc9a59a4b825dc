package io.cle.kubernetes.internal.login;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.Buffer;

/**
 * Authenticates requests as an application's {@link ApiClient} authenticates its own: with its credentials, its default headers and its
 * cookies. Thread-safe if the client is.
 */
public final class ApiClientLogin implements Interceptor {

    private final ApiClient client;

    private ApiClientLogin(ApiClient client) {
        this.client = client;
    }

    /** Returns an HTTP client that sends requests as an API client does. The API client is not modified. */
    public static OkHttpClient client(ApiClient client) {
        OkHttpClient.Builder http = client.getHttpClient().newBuilder();
        // Before the application's own interceptors, which see the credentials in requests of client-java too.
        http.interceptors().add(0, new ApiClientLogin(client));
        return http.build();
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        List<Pair> query = new ArrayList<>();
        for (int i = 0; i < request.url().querySize(); i++) {
            query.add(
                    new Pair(request.url().queryParameterName(i), request.url().queryParameterValue(i)));
        }
        Map<String, String> headers = new HashMap<>();
        request.headers().forEach(header -> headers.put(header.getFirst(), header.getSecond()));
        Map<String, String> cookies = new HashMap<>();
        HttpUrl resource = request.url().newBuilder().query(null).build();
        try {
            client.updateParamsForAuth(
                    client.getAuthentications().keySet().toArray(String[]::new),
                    query,
                    headers,
                    cookies,
                    payload(request),
                    request.method(),
                    resource.uri());
        } catch (ApiException e) {
            throw new IOException(e.toString(), e);
        }
        HttpUrl.Builder url = resource.newBuilder();
        query.forEach(pair -> url.addQueryParameter(pair.getName(), pair.getValue()));
        Request.Builder authenticated = request.newBuilder().url(url.build());
        client.processHeaderParams(headers, authenticated);
        client.processCookieParams(cookies, authenticated);
        return chain.proceed(authenticated.build());
    }

    private static String payload(Request request) throws IOException {
        RequestBody body = request.body();
        Buffer payload = new Buffer();
        if (body != null) {
            body.writeTo(payload);
        }
        return payload.readUtf8();
    }
}
