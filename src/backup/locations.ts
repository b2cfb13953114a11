import { createHash } from 'node:crypto'
import { basename, dirname, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Outbound } from '../outbound/client.ts'
import { SetupError } from '../shared/errors.ts'
import { openS3 } from './s3.ts'
import { openFolder, type StoredFile, type Target } from './target.ts'

const SUFFIX = '.backup'
/** The names that are generated: the installation and the time. Other files in the folder are not touched. */
const GENERATED = /^bellwether-([0-9a-f]{8})-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.backup$/

/** Identifies an installation in the names of its backups, so that several can store theirs in one folder. */
export const installationMark = (workspaceId: string) =>
  createHash('sha256').update(workspaceId).digest('hex').slice(0, 8)

/** The name of a backup of this installation made at this time. */
export const nameAt = (mark: string, time: Date) =>
  `bellwether-${mark}-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z${SUFFIX}`

/** Whether a name was generated for a backup of this installation. */
export const isNameOf = (mark: string, name: string) => GENERATED.exec(name)?.[1] === mark

/** A location: a folder, and the name of a backup in it if the location ends with `.backup`. Throws SetupError for another URL. */
export function openLocation(
  { config, outbound }: { config: Config; outbound: Outbound },
  location: string,
): { target: Target; name: string | null } {
  const isFile = location.endsWith(SUFFIX)
  const [, bucket, path = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/s.exec(location) ?? []
  if (bucket !== undefined) {
    const folder = isFile ? path.slice(0, path.lastIndexOf('/') + 1) : path
    return { target: openS3(config, outbound, { bucket, folder }), name: isFile ? basename(path) : null }
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(location))
    throw new SetupError(`${location} is not supported. Name a folder or s3://bucket/folder.`)
  const absolute = resolve(location)
  return { target: openFolder(isFile ? dirname(absolute) : absolute), name: isFile ? basename(absolute) : null }
}

export type StoredBackup = StoredFile & { installation: string }

/** The generated backups of a target, newest first. */
export async function listBackups(target: Target): Promise<StoredBackup[]> {
  const found = (await target.list()).flatMap(({ name, bytes }) => {
    const [, installation, time] = GENERATED.exec(name) ?? []
    return installation && time ? [{ name, bytes, installation, time }] : []
  })
  return found.sort((one, other) => (one.time < other.time ? 1 : -1)).map(({ time: _time, ...backup }) => backup)
}

/** Opens the backup at a location, or the newest one in a folder. Throws SetupError when several installations use the folder. */
export async function openBackup(
  deps: { config: Config; outbound: Outbound },
  location: string,
): Promise<{ read: () => AsyncIterable<Buffer>; location: string }> {
  const { target, name } = openLocation(deps, location)
  const found = name ?? (await findNewest(target, location))
  return { read: () => target.read(found), location: target.nameOf(found) }
}

async function findNewest(target: Target, location: string): Promise<string> {
  const newest = new Map<string, string>()
  for (const { name, installation } of await listBackups(target))
    if (!newest.has(installation)) newest.set(installation, name)
  const [name, ...others] = newest.values()
  if (!name) throw new SetupError(`There is no backup in ${location}.`)
  if (others.length > 0) {
    const names = [name, ...others].map((one) => target.nameOf(one)).join(', ')
    throw new SetupError(`${location} has backups of several installations. Name one of them: ${names}`)
  }
  return name
}
