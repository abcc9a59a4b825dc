package io.cle.samples.upgrade;

/** The story didn't go on as it should. The message is for the reader of the demo. */
final class StoryFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StoryFailedException(String message) {
        super(message);
    }
}
