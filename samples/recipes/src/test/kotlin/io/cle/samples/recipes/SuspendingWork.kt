package io.cle.samples.recipes

import io.cle.Term
import io.cle.spring.onleader.OnLeader
import java.util.concurrent.BlockingQueue
import java.util.concurrent.LinkedBlockingQueue
import kotlinx.coroutines.awaitCancellation
import org.springframework.scheduling.annotation.Scheduled

/** Kotlin: suspend functions run as coroutines that are cancelled when the term ends. */
open class SuspendingWork {

    private val journal = LinkedBlockingQueue<String>()

    open fun journal(): BlockingQueue<String> = journal

    @OnLeader
    open suspend fun work(term: Term) {
        journal.add("works, valid: ${term.isValid}")
        try {
            awaitCancellation()
        } finally {
            journal.add("work is cancelled")
        }
    }

    @OnLeader
    @Scheduled(fixedDelay = 10)
    open suspend fun tick() {
        journal.add("ticks")
        try {
            awaitCancellation()
        } finally {
            journal.add("tick is cancelled")
        }
    }
}
