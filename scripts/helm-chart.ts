// Renders deploy/helm/bellwether without Helm, which tests use where no Helm is installed.
import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'
import { GoTemplates } from './go-template.ts'

export type KubernetesObject = {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
}
type Values = Record<string, unknown>
type Rendered = { objects: KubernetesObject[]; notes: string }

const CHART = resolve(import.meta.dirname, '../deploy/helm/bellwether')
const read = (file: string) => readFileSync(join(CHART, file), 'utf8')

/** Renders the chart with values over its defaults, as `helm template`. Throws when values.schema.json refuses them. */
export function renderChart(given: Values, release: { name: string; namespace: string }): Rendered {
  const values = merge(parse(read('values.yaml')) as Values, given)
  const validate = new Ajv({ strict: false, allErrors: true }).compile(JSON.parse(read('values.schema.json')))
  if (!validate(values)) {
    const lines = validate.errors?.map(({ instancePath, message, params }) => {
      return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`
    })
    throw new Error(`The values are refused:\n${lines?.join('\n')}`)
  }
  const { name, version, appVersion } = parse(read('Chart.yaml')) as Record<string, string>
  const scope = {
    Values: values,
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: release.name, Namespace: release.namespace, Service: 'Helm' },
  }
  const templates = new GoTemplates()
  const files = globSync('templates/*', { cwd: CHART })
    .sort()
    .map((file) => ({ file, nodes: templates.parse(file, read(file)) }))
  const outputs = files.map(({ file, nodes }) => ({ file: basename(file), text: templates.render(nodes, scope) }))
  const objects = outputs
    .filter(({ file }) => file.endsWith('.yaml'))
    .flatMap(({ file, text }) => parseAllDocuments(text).map((document) => ({ file, document })))
    .flatMap(({ file, document }) => {
      if (!('errors' in document)) return []
      if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`)
      const content = document.toJS() as KubernetesObject | null
      return content ? [content] : []
    })
  return { objects, notes: outputs.find(({ file }) => file === 'NOTES.txt')?.text ?? '' }
}

/** Maps are merged, everything else is replaced, as Helm does. */
function merge(base: Values, over: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = Object.entries(over).map(([key, value]) => {
    const below = base[key]
    return [key, isMap(value) && isMap(below) ? merge(below, value) : value]
  })
  return { ...base, ...Object.fromEntries(entries) }
}
