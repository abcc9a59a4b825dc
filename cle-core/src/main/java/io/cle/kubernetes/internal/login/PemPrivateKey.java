package io.cle.kubernetes.internal.login;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the kinds of private keys that occur in kubeconfigs: PKCS #8 ({@code PRIVATE KEY}, the only kind that the JDK reads), PKCS #1
 * ({@code RSA PRIVATE KEY}, written by kubeadm) and SEC 1 ({@code EC PRIVATE KEY}, written by k3s). The latter two are converted to PKCS #8
 * by prepending the identifier of their algorithm.
 */
final class PemPrivateKey {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----([^-]*)-----END \\1-----");

    /** PKCS #8's version, the integer 0. */
    private static final byte[] VERSION = {0x02, 0x01, 0x00};

    /** 1.2.840.113549.1.1.1 and no parameters. */
    private static final byte[] RSA = {
        0x30, 0x0d, 0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00
    };

    /** 1.2.840.10045.2.1, whose parameter is the curve. */
    private static final byte[] EC = {0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01};

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int CURVE = 0xa0;
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519", "Ed448");

    private PemPrivateKey() {}

    /**
     * Returns the first private key of a text; other blocks, such as {@code EC PARAMETERS}, are ignored.
     *
     * @throws GeneralSecurityException if there is none that can be read; the message contains nothing of the key
     */
    static PrivateKey read(String pem) throws GeneralSecurityException {
        Matcher block = BLOCK.matcher(pem);
        if (!block.find()) {
            throw new InvalidKeyException("it has no PEM block with a private key");
        }
        byte[] content;
        try {
            content = Base64.getMimeDecoder().decode(block.group(2));
        } catch (IllegalArgumentException e) {
            throw new InvalidKeyException("its " + block.group(1) + " is not Base64");
        }
        return switch (block.group(1)) {
            case "PRIVATE KEY" -> ofPkcs8(content);
            case "RSA PRIVATE KEY" -> ofPkcs8(der(SEQUENCE, VERSION, RSA, der(OCTETS, content)));
            case "EC PRIVATE KEY" ->
                ofPkcs8(der(SEQUENCE, VERSION, der(SEQUENCE, EC, curveOf(content)), der(OCTETS, content)));
            default -> throw new InvalidKeyException("a key of the kind " + block.group(1) + " can't be read");
        };
    }

    private static PrivateKey ofPkcs8(byte[] encoded) throws GeneralSecurityException {
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(encoded);
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException anotherAlgorithm) {
                // Each factory refuses other algorithms' keys; PKCS #8 names the algorithm, but not by a name that the
                // JDK accepts.
            }
        }
        throw new InvalidKeySpecException("its algorithm is none of " + ALGORITHMS + ", or the key is damaged");
    }

    /** Returns the name of the curve in {@code SEQUENCE {version, key, [0] curve, …}}. */
    private static byte[] curveOf(byte[] sec1) throws InvalidKeyException {
        try {
            int at = contentOf(sec1, 0);
            while (at < sec1.length) {
                int content = contentOf(sec1, at);
                int end = content + lengthOf(sec1, at);
                if (end < content || end > sec1.length) {
                    break;
                }
                if ((sec1[at] & 0xff) == CURVE) {
                    return Arrays.copyOfRange(sec1, content, end);
                }
                at = end;
            }
        } catch (IndexOutOfBoundsException damaged) {
            throw new InvalidKeyException("its EC PRIVATE KEY is damaged");
        }
        throw new InvalidKeyException("its EC PRIVATE KEY names no curve, or is damaged");
    }

    private static int contentOf(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
    }

    private static int lengthOf(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7f); i++) {
            length = (length << 8) | (der[at + 2 + i] & 0xff);
        }
        return length;
    }

    private static byte[] der(int tag, byte[]... contents) {
        int length = 0;
        for (byte[] content : contents) {
            length += content.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        for (byte[] content : contents) {
            out.writeBytes(content);
        }
        return out.toByteArray();
    }
}
