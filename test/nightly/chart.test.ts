import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { allSteps, inForce, parseDockerfile } from '../../scripts/dockerfile.ts'
import { GoTemplates } from '../../scripts/go-template.ts'
import { type KubernetesObject, renderChart } from '../../scripts/helm-chart.ts'
import { VARIABLES } from '../../src/config/variables.ts'
import {
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  PodMonitor,
  ScaledObject,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
} from '../../tools/schemas.ts'

const MODELS = [
  ...[Deployment, HorizontalPodAutoscaler, Ingress, Job, NetworkPolicy, PodDisruptionBudget, PodMonitor],
  ...[ScaledObject, Secret, Service, ServiceAccount, StatefulSet],
]

const root = resolve(import.meta.dirname, '../..')
const chart = join(root, 'deploy/helm/bellwether')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const release = { name: 'bw', namespace: 'sales' }
const examples = globSync('ci/*-values.yaml', { cwd: chart }).sort()
const valuesOf = (example: string) => parse(readFileSync(join(chart, example), 'utf8')) as Record<string, unknown>
const kindsOf = (objects: readonly KubernetesObject[]) => objects.map(({ kind }) => kind).sort()

/**
 * The violations of the schema of the object's kind, and the fields that the schema does not know. The validators ignore
 * unknown fields, but never read them, which a proxy sees.
 */
function findProblems(object: KubernetesObject): string[] {
  const model = MODELS.find(({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind)
  if (!model) return [`${object.apiVersion} ${object.kind}: no schema`]
  const unread = new Set<string>()
  const watch = (value: unknown, path: string): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const children = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, watch(one, `${path}/${key}`)]))
    const target = Array.isArray(value) ? Object.values(children) : children
    let isFirst = true
    return new Proxy(target, {
      get: (from, key, receiver) => {
        // A map without a schema of its own is never read at all, and may hold any field.
        if (isFirst && !Array.isArray(from)) for (const name of Object.keys(from)) unread.add(`${path}/${name}`)
        isFirst = false
        unread.delete(`${path}/${String(key)}`)
        return Reflect.get(from, key, receiver)
      },
    })
  }
  const errors: string[] = []
  try {
    model.prototype.validate.call(watch(object, ''))
  } catch (error) {
    const found = (error as { errors: { instancePath: string; keyword: string }[] }).errors
    errors.push(...found.map(({ instancePath, keyword }) => `${instancePath}: ${keyword}`))
  }
  return [...errors, ...[...unread].map((path) => `${path}: unknown field`)]
}

test('every object of the chart conforms to the schemas of Kubernetes, KEDA and the Prometheus operator', () => {
  const seen = new Set<string>()
  for (const example of examples) {
    for (const object of renderChart(valuesOf(example), release).objects) {
      assert.deepEqual(findProblems(object), [], `${example} ${object.kind} ${object.metadata.name}`)
      seen.add(object.kind)
    }
  }
  assert.deepEqual([...seen].sort(), MODELS.map(({ kind }) => kind).sort(), 'the examples cover every template')
})

test('a wrong type, a missing field and a misspelled field are found', () => {
  const { objects } = renderChart({}, release)
  const api = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'bw-api')
  const broken = (change: (spec: Pod & { containers: Record<string, unknown>[] }) => void) => {
    const copy = structuredClone(api) as unknown as { spec: { template: { spec: Parameters<typeof change>[0] } } }
    change(copy.spec.template.spec)
    return findProblems(copy as unknown as KubernetesObject)
  }
  const at = '/spec/template/spec/containers/0'
  assert.deepEqual(
    broken(({ containers }) => Object.assign(containers[0] ?? {}, { args: 'serve' })),
    [`${at}/args: type`],
  )
  assert.deepEqual(
    broken(({ containers }) => delete containers[0]?.name),
    [`${at}: required`],
  )
  assert.deepEqual(
    broken(({ containers }) => Object.assign(containers[0] ?? {}, { readynessProbe: {} })),
    [`${at}/readynessProbe: unknown field`],
  )
})

test('values.schema.json refuses unknown names, wrong types and values that lack a needed one', () => {
  const refused = (values: Record<string, unknown>, message: RegExp) =>
    assert.throws(() => renderChart(values, release), message)
  refused({ apii: {} }, /additionalProperty":"apii"/)
  refused({ api: { replicas: 'two' } }, /\/api\/replicas must be integer/)
  refused({ ingress: { enabled: true } }, /\/ingress\/host must NOT have fewer than 1 characters/)
  const secrets = Object.entries(VARIABLES).filter(([, { isSecret }]) => isSecret)
  assert.ok(secrets.length > 10)
  for (const [name] of secrets) refused({ config: { [name]: 'not here' } }, /\/config property name/)
  refused({ secret: { values: { DATABASE_URL: 'postgres://x' } } }, /missingProperty":"SECRETS_KEY"/)
  refused({ secret: { values: { SECRETS_KEY: 'x' } } }, /missingProperty":"DATABASE_URL"/)
  refused({ embedded: { enabled: true }, secret: { values: { SECRETS_KEY: 'x', DATABASE_URL: 'y' } } }, /must NOT be/)
})

type Pod = {
  terminationGracePeriodSeconds: number
  automountServiceAccountToken: boolean
  securityContext: { runAsUser: number }
  containers: {
    image: string
    args: string[]
    securityContext: unknown
    livenessProbe: { httpGet: { path: string } }
    readinessProbe: { httpGet: { path: string } }
    startupProbe: { periodSeconds: number; failureThreshold: number }
  }[]
}

test('pods use the image, the user and the probes of the Dockerfile, without privileges or a token', () => {
  const stages = parseDockerfile(read('Dockerfile'))
  const steps = allSteps(stages, stages.at(-1) as (typeof stages)[0])
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const args: Record<string, string[]> = {}
  for (const example of examples) {
    for (const object of renderChart(valuesOf(example), release).objects) {
      const pod = (object as { spec?: { template?: { spec: Pod } } }).spec?.template?.spec
      if (!pod) continue
      const [container] = pod.containers
      assert.ok(container)
      args[object.metadata.name] = container.args
      assert.equal(pod.automountServiceAccountToken, false)
      assert.equal(pod.securityContext.runAsUser, Number(inForce(steps, 'USER').text.split(':')[0]))
      assert.match(container.image, new RegExp(`^registry.example/bellwether(:${version}|@sha256:[0-9a-f]{64})$`))
      assert.deepEqual(container.securityContext, {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      })
      if (object.kind === 'Job') continue
      assert.equal(container.livenessProbe.httpGet.path, '/healthz')
      assert.equal(container.readinessProbe.httpGet.path, '/readyz')
      // src/cli/serve.ts limits a stop to 15 seconds after the 30 of SHUTDOWN_TIMEOUT_SECONDS; preStop takes 5.
      assert.ok(pod.terminationGracePeriodSeconds > 30 + 15 + 5)
    }
  }
  assert.deepEqual(args, {
    bw: ['serve'],
    'bw-api': ['serve', '--only', 'api'],
    'bw-worker': ['serve', '--only', 'worker'],
    'bw-migrate': ['migrate', '--no-embedded'],
  })
  assert.deepEqual(kindsOf(renderChart({ embedded: { enabled: true } }, release).objects), [
    'NetworkPolicy',
    'Service',
    'ServiceAccount',
    'StatefulSet',
  ])
})

test('a pod that may migrate starts for up to an hour, one after the migration job for two minutes', () => {
  const startSeconds = (values: Record<string, unknown>) => {
    const pods = renderChart(values, release).objects.flatMap((object) => {
      const pod = (object as { spec?: { template?: { spec: Pod } } }).spec?.template?.spec
      return pod && object.kind !== 'Job' ? pod.containers.map(({ startupProbe }) => startupProbe) : []
    })
    return pods.map(({ periodSeconds, failureThreshold }) => periodSeconds * failureThreshold)
  }
  assert.deepEqual(startSeconds({}), [120, 120])
  assert.deepEqual(startSeconds({ migration: { enabled: false } }), [3600, 3600])
  assert.deepEqual(startSeconds({ embedded: { enabled: true } }), [3600])
})

test('the network policy allows pods, name servers at any address, and everything outside but metadata services', () => {
  const policy = renderChart({}, release).objects.find(({ kind }) => kind === 'NetworkPolicy')
  const { egress } = (policy as unknown as { spec: { egress: { ports?: object[]; to?: object[] }[] } }).spec
  assert.deepEqual(egress[0], {
    ports: [
      { port: 53, protocol: 'UDP' },
      { port: 53, protocol: 'TCP' },
    ],
  })
  assert.deepEqual(egress[1]?.to?.[0], { namespaceSelector: {} })
  assert.match(JSON.stringify(egress[1]), /"except":\["169\.254\.169\.254\/32"\]/)
})

test('keys come from the operator: the chart has no function that generates or looks one up', () => {
  const templates = globSync('templates/*', { cwd: chart }).map((file) => readFileSync(join(chart, file), 'utf8'))
  assert.doesNotMatch(templates.join('\n'), /\b(rand\w+|gen\w+|lookup|uuidv4|now)\b.*\}\}/)
  const { objects, notes } = renderChart(valuesOf('ci/production-values.yaml'), release)
  const secret = objects.find(({ kind }) => kind === 'Secret')
  // The Job before an installation reads it, so that it is created earlier. A hook would replace an operator's Secret of its name.
  assert.equal(secret?.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade,pre-rollback')
  assert.equal(secret?.metadata.name, 'bw-settings')
  assert.match(notes, /kubectl -n sales exec deployment\/bw-api -- node bin\/bellwether\.js sign-in/)
})

test('the renderer refuses what it does not know, and trims and scopes as Go does', () => {
  const render = (source: string, scope: unknown = {}) => {
    const templates = new GoTemplates()
    return templates.render(templates.parse('x', source), scope)
  }
  assert.equal(
    render('a\n  {{- if .on }}\n  b\n{{- else if .off }}c{{ end }} {{ .n | quote }}', { on: [1], n: 8 }),
    'a\n  b "8"',
  )
  assert.equal(render('{{ with .a }}{{ .b }}{{ $.c }}{{ end }}{{- /* none */ -}} !', { a: { b: 'x' }, c: 'y' }), 'xy!')
  assert.equal(render('{{ range $k, $v := . }}{{ $k }}={{ $v }};{{ end }}', { b: 1, a: true }), 'a=true;b=1;')
  for (const source of [
    ...['{{ .a.b }}', '{{ .a }}', '{{ upper "a" }}', '{{ template "x" }}', '{{ if .a }}', '{{ end }}', '{{ $x }}'],
    ...['{{ include "no" . }}', '{{ range .a }}{{ end }}', '{{ printf "%d" 1 }}', '{{ "a" "b" }}', '{{ .a', 'a }}'],
    ...[
      '{{ block "x" . }}{{ end }}',
      '{{ $x = 1 }}',
      '{{ if $x := .a }}{{ end }}',
      '{{ with .a }}{{ else with .b }}{{ end }}',
    ],
    ...[
      '{{ if eq "a" "b" "c" }}{{ end }}',
      '{{ quote "a" "b" }}',
      '{{ ternary "a" "b" 1 }}',
      '{{ quote (dict "a" "b").a }}',
    ],
    ...[
      '{{ if hasKey "a" "b" }}{{ end }}',
      '{{ range $k, $v := . }}{{ else }}{{ end }}',
      '{{ break }}',
      '{{ "a" | "b" }}',
    ],
  ])
    assert.throws(() => render(source), Error, source)
  assert.throws(() => render('{{ .n }}', { n: 1_000_000 }), /cannot be printed/)
})

const helm = spawnSync('helm', ['version', '--short'], { encoding: 'utf8' })
test('Helm accepts the chart and renders the same objects', { skip: helm.error && 'no helm in PATH' }, () => {
  for (const example of examples) {
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('helm', args, { cwd: chart, encoding: 'utf8' })
      assert.equal(status, 0, stderr)
      return stdout
    }
    run('lint', '--strict', '.', '--values', example)
    const documents = parseAllDocuments(run('template', 'bw', '.', '--namespace', 'sales', '--values', example))
    const byName = (objects: KubernetesObject[]) =>
      Object.fromEntries(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]))
    const rendered = documents.flatMap((document) => ('toJS' in document ? [document.toJS() as KubernetesObject] : []))
    assert.deepEqual(byName(renderChart(valuesOf(example), release).objects), byName(rendered), basename(example))
  }
})
