package io.cle.kubernetes;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;

import javax.net.ssl.KeyManagerFactory;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.credentials.Authentication;

/**
 * Authenticates by the client certificate of a kubeconfig. client-java's own class needs Bouncy Castle for it, 11 MB in every
 * application; the JDK can do the same, apart from unpacking the key's file.
 */
final class ClientCertificateLogin implements Authentication {

    private static final char[] NO_PASSWORD = {};

    private final byte[] certificates;
    private final byte[] key;

    private ClientCertificateLogin(byte[] certificates, byte[] key) {
        this.certificates = certificates;
        this.key = key;
    }

    /**
     * The certificate that a kubeconfig's user has, in the file itself, in files of its own or from a program.
     *
     * @throws IOException if a file can't be read, or neither the user nor the program has a certificate
     */
    static ClientCertificateLogin of(KubeConfig config) throws IOException {
        byte[] certificates =
                config.getDataOrFileRelative(config.getClientCertificateData(), config.getClientCertificateFile());
        byte[] key = config.getDataOrFileRelative(config.getClientKeyData(), config.getClientKeyFile());
        if (certificates != null && key != null) {
            return new ClientCertificateLogin(certificates, key);
        }
        Map<String, String> credentials = config.getCredentials();
        String ofProgram = credentials == null ? null : credentials.get("clientCertificateData");
        String keyOfProgram = credentials == null ? null : credentials.get("clientKeyData");
        if (ofProgram == null || keyOfProgram == null) {
            throw new IOException("a client certificate without its key");
        }
        return new ClientCertificateLogin(
                ofProgram.getBytes(StandardCharsets.US_ASCII), keyOfProgram.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Gives an API client the certificate.
     *
     * @throws IllegalArgumentException if certificate or key can't be read
     */
    @Override
    public void provide(ApiClient client) {
        try {
            PrivateKey privateKey = PemPrivateKey.read(new String(key, StandardCharsets.US_ASCII));
            Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(certificates))
                    .toArray(Certificate[]::new);
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setKeyEntry("client", privateKey, NO_PASSWORD, chain);
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, NO_PASSWORD);
            client.setKeyManagers(keys.getKeyManagers());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("the client certificate can't be used: " + e.getMessage(), e);
        }
    }
}
