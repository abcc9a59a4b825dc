package io.cle.rehearsal;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;

import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encrypts and decrypts, in memory, as much as a few hundred answers of an API server. The JDK's AES-GCM is ten times slower before it
 * is compiled, half a millisecond for each kilobyte, and is compiled after some ten kilobytes: in a process that has just started, this
 * would be in the midst of the first hand-over. Unlike the rest of a rehearsal it is worth being played until it is compiled: it is a
 * few small methods, and every byte that is sent and received goes through them.
 */
public final class TlsRehearsal {

    private static final Logger log = LoggerFactory.getLogger(TlsRehearsal.class);

    /** What API servers and JVMs agree upon, unless somebody has forbidden it. */
    private static final String CIPHER = "AES/GCM/NoPadding";

    private static final int RECORDS = 400;
    private static final int RECORD_BYTES = 1024;
    private static final int KEY_BYTES = 16;
    private static final int TAG_BYTES = 16;
    private static final int NONCE_BYTES = 12;

    private TlsRehearsal() {}

    /**
     * Plays it on the caller's thread, in about a tenth of a second.
     *
     * @return whether all that was encrypted could be decrypted again; false, too, where the JVM has no such cipher
     */
    public static boolean perform() {
        try {
            Cipher cipher = Cipher.getInstance(CIPHER);
            SecretKey key = new SecretKeySpec(new byte[KEY_BYTES], "AES");
            byte[] clear = new byte[RECORD_BYTES];
            Arrays.fill(clear, (byte) '{');
            ByteBuffer encrypted = ByteBuffer.allocate(RECORD_BYTES + TAG_BYTES);
            ByteBuffer decrypted = ByteBuffer.allocate(RECORD_BYTES);
            for (int record = 0; record < RECORDS; record++) {
                GCMParameterSpec nonce = nonce(record);
                cipher.init(Cipher.ENCRYPT_MODE, key, nonce);
                cipher.doFinal(ByteBuffer.wrap(clear), encrypted.clear());
                cipher.init(Cipher.DECRYPT_MODE, key, nonce);
                cipher.doFinal(encrypted.flip(), decrypted.clear());
            }
            return Arrays.equals(clear, decrypted.array());
        } catch (GeneralSecurityException e) {
            log.debug("{} isn't rehearsed, as this JVM has none; TLS will have another cipher", CIPHER, e);
            return false;
        }
    }

    /** Another one for each record, as a cipher insists on. */
    private static GCMParameterSpec nonce(int record) {
        byte[] bytes = ByteBuffer.allocate(NONCE_BYTES).putInt(record).array();
        return new GCMParameterSpec(TAG_BYTES * Byte.SIZE, bytes);
    }
}
