// The site of the same Markdown that is read in the repository: .ci/site makes it. The pages stay where they are, below the root of the project, so that their
// links to each other work in both places; links to sources go to the repository.
import {existsSync, readFileSync, statSync} from 'node:fs'
import {dirname, resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {defineConfig} from 'vitepress'

const folder = dirname(fileURLToPath(import.meta.url))
const root = resolve(folder, '../..')
const home = readFileSync(resolve(root, 'pom.xml'), 'utf8').match(/<project\.home>([^<]+)</)[1]
const title = page => readFileSync(resolve(root, page), 'utf8').match(/^# (.+)$/m)[1].replaceAll('`', '')
const pages = (...names) => names.map(name => `docs/${name}.md`).map(page => ({text: title(page), link: `/${page}`}))

/** Anchors as in the repository, where the links are checked. */
const slugify = heading => heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')

/** Makes of a link to a file of the project that is no page a link to the repository, and of one to README one to the start page. */
function links(md) {
    const render = md.renderer.rules.link_open ?? ((tokens, i, options, env, self) => self.renderToken(tokens, i, options))
    md.renderer.rules.link_open = (tokens, i, options, env, self) => {
        const href = tokens[i].attrGet('href')
        if (!/^([a-z]+:|#|\/)/.test(href)) {
            const [path, anchor] = href.split('#')
            const file = resolve(root, dirname(env.relativePath === 'index.md' ? 'README.md' : env.relativePath), decodeURI(path))
            const inside = file.slice(root.length + 1)
            if (inside === 'README.md') {
                tokens[i].attrSet('href', '/' + (anchor ? '#' + anchor : ''))
            } else if (existsSync(file) && !file.endsWith('.md')) {
                tokens[i].attrSet('href', `${home}/${statSync(file).isDirectory() ? 'tree' : 'blob'}/main/${inside}`)
            }
        }
        return render(tokens, i, options, env, self)
    }
}

export default defineConfig({
    title: 'Coordinated Leader Election',
    description: 'Leader election for Java on Kubernetes: the right leader, never two, handed over in milliseconds.',
    srcDir: '..',
    srcExclude: ['**/target/**', '**/node_modules/**', '.github/**', '.ci/**'],
    outDir: '../target/site',
    cacheDir: '../target/site-cache',
    rewrites: {'README.md': 'index.md'},
    markdown: {config: links, anchor: {slugify}},
    // The pages above this folder are compiled to modules that import it.
    vite: {resolve: {alias: [{find: /^vue(?=$|\/)/, replacement: resolve(folder, '../node_modules/vue')}]}},
    // Javadoc is put beside the pages afterwards.
    ignoreDeadLinks: [/^\/javadoc\//],
    themeConfig: {
        search: {provider: 'local'},
        outline: 'deep',
        nav: [
            {text: 'Your first leader', link: '/docs/first-leader'},
            {text: 'Javadoc', link: '/javadoc/cle-core/index.html', target: '_self'},
            {text: 'Changelog', link: '/CHANGELOG'},
        ],
        sidebar: [
            {text: 'Applications', items: pages('first-leader', 'guarantees', 'led-work', 'fencing', 'application-tests', 'strategies', 'shards', 'without-a-coordinator', 'leader-migration')},
            {text: 'Operations', items: pages('deploy', 'sizing', 'objectives', 'metrics', 'runbook', 'page', 'roll-outs', 'administration', 'threat-model')},
            {text: 'Coming from elsewhere', items: pages('coming-from')},
            {text: 'Reference', items: pages('reference', 'compatibility')},
            {text: 'Internals', items: pages('safety', 'architecture', 'protocol', 'fidelity', 'evidence')},
        ],
    },
})
