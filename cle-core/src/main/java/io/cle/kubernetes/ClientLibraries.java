package io.cle.kubernetes;

import java.net.URL;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Checks that OkHttp and client-java have the methods that this library calls, because older versions lack some. A platform's BOM may
 * manage their versions: Spring Cloud's manages OkHttp 4.12 and client-java 24.
 *
 * <p>History without this check: with OkHttp 4.12 an application starts on a laptop, where it joins no cluster. In the cluster it fails
 * with a {@code NoSuchMethodError} that names neither the artifact nor the BOM. Methods are checked instead of version numbers, because a
 * version number proves nothing for a fork or a patched jar.
 */
public final class ClientLibraries {

    /** {@code okhttp-4.12.0.jar}, also within an executable jar. */
    private static final Pattern JAR = Pattern.compile("([A-Za-z][\\w.-]*?)-(\\d[\\w.-]*)\\.jar(!?/?)$");

    /**
     * A public method that older versions lack: OkHttp before 5.4.
     *
     * @param artifact the artifact that contains the class
     * @param type the class's name
     * @param parameters the simple names of the types of the method's parameters
     */
    record Required(String artifact, String type, String method, List<String> parameters) {

        private boolean isIn(Class<?> found) {
            return Arrays.stream(found.getMethods())
                    .filter(candidate -> candidate.getName().equals(method))
                    .anyMatch(candidate -> Arrays.stream(candidate.getParameterTypes())
                            .map(Class::getSimpleName)
                            .toList()
                            .equals(parameters));
        }

        private String describe() {
            return type.replace('$', '.') + "." + method + "(" + String.join(", ", parameters) + ")";
        }
    }

    static final List<Required> REQUIRED = List.of(
            new Required(
                    "com.squareup.okhttp3:okhttp", "okhttp3.OkHttpClient$Builder", "fastFallback", List.of("boolean")),
            new Required(
                    "com.squareup.okhttp3:okhttp",
                    "okhttp3.Interceptor$Chain",
                    "withSslSocketFactory",
                    List.of("SSLSocketFactory", "X509TrustManager")));

    static final Required API_CLIENT = new Required(
            "io.kubernetes:client-java-api",
            "io.kubernetes.client.openapi.ApiClient",
            "updateParamsForAuth",
            List.of("String[]", "List", "Map", "Map", "String", "String", "URI"));

    private ClientLibraries() {}

    /**
     * Checks the required methods.
     *
     * @throws IncompatibleLibraryException if a method or its class is missing
     */
    public static void check() {
        REQUIRED.forEach(required -> check(required, ClientLibraries.class.getClassLoader()));
    }

    /**
     * Checks that requests can be authenticated as an API client's own.
     *
     * @throws IncompatibleLibraryException if client-java doesn't support it
     */
    static void checkApiClient() {
        check(API_CLIENT, ClientLibraries.class.getClassLoader());
    }

    static void check(Required required, ClassLoader loader) {
        Class<?> found;
        try {
            found = Class.forName(required.type(), false, loader);
            if (required.isIn(found)) {
                return;
            }
        } catch (ClassNotFoundException | LinkageError e) {
            throw incompatible(required, required.artifact() + " is missing or incomplete on the class path", e);
        }
        throw incompatible(required, describe(required.artifact(), found), null);
    }

    private static IncompatibleLibraryException incompatible(
            Required required, String found, @Nullable Throwable cause) {
        return new IncompatibleLibraryException(
                found + ": it doesn't have " + required.describe() + ", which leader election calls",
                """
                A BOM or the build manages another version than the one that leader election was built with. Do one of these:
                    - with Maven, import io.cle:cle-bom in <dependencyManagement> before the BOM that manages this version, such as\
                 spring-cloud-dependencies or okhttp-bom: of two imports the first one decides,
                    - with Gradle's plugin io.spring.dependency-management, import it after the others: there the last one decides,
                    - or set the version of %s in the build; cle-bom names the one to use.
                'mvn dependency:tree -Dincludes=com.squareup.okhttp3,io.kubernetes' or 'gradle dependencyInsight' shows which versions are there.""".formatted(required.artifact()),
                cause);
    }

    /** Describes the version found, from the name of the jar: not all versions of OkHttp and client-java have a version in their manifest. */
    private static String describe(String artifact, Class<?> found) {
        CodeSource source = found.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        Matcher jar = JAR.matcher(location == null ? "" : location.toString());
        String group = artifact.substring(0, artifact.indexOf(':'));
        return jar.find()
                ? group + ":" + jar.group(1) + " is on the class path in version " + jar.group(2) + " (" + location
                        + ")"
                : artifact + " is on the class path in an unknown version (" + location + ")";
    }
}
