package io.cle.samples.recipes;

import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

import static io.cle.samples.recipes.RequireLeader.requireLeader;
import static io.cle.samples.recipes.RequireLeader.requireLeaderReactively;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

class RequireLeaderTests {

    @RestController
    static class Admin {

        @GetMapping("/admin")
        String admin() {
            return "done";
        }
    }

    @Test
    void mvcServesOnTheLeaderAndAnswers503Elsewhere() throws Exception {
        try (ConfigurableApplicationContext context = Standalone.run()) {
            MockMvc mvc = MockMvcBuilders.standaloneSetup(new Admin())
                    .addInterceptors(requireLeader(Standalone.lock(context)))
                    .build();
            mvc.perform(get("/admin")).andExpect(status().isOk());

            Standalone.resign(context);

            mvc.perform(get("/admin"))
                    .andExpect(status().isServiceUnavailable())
                    .andExpect(header().string("Retry-After", "1"));
        }
    }

    @Test
    void webFluxServesOnTheLeaderAndAnswers503Elsewhere() {
        try (ConfigurableApplicationContext context = Standalone.run()) {
            WebTestClient client = WebTestClient.bindToRouterFunction(RouterFunctions.route()
                            .GET("/admin", request -> ServerResponse.ok().bodyValue("done"))
                            .filter(requireLeaderReactively(Standalone.lock(context)))
                            .build())
                    .build();
            client.get().uri("/admin").exchange().expectStatus().isOk();

            Standalone.resign(context);

            client.get().uri("/admin").exchange().expectStatus().isEqualTo(503);
        }
    }

    @Test
    void theAnswerNamesTheLeader() {
        try (ConfigurableApplicationContext context = Standalone.run()) {
            NotLeaderException answer = new NotLeaderException(Standalone.lock(context));
            String leader = Standalone.lock(context).leader().orElseThrow();
            assertThat(answer.getHeaders().getFirst(NotLeaderException.LEADER)).isEqualTo(leader);
            assertThat(answer.getBody().getProperties()).containsEntry("leader", leader);
            assertThat(answer).hasMessageContaining(leader);
        }
    }
}
