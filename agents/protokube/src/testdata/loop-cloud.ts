import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CloudVolume, NodeCloud } from '@kopsctl/node-cloud/node-cloud.ts';
import { execa } from 'execa';

/** A cloud of loop devices. Volumes in `taken` are refused, as when another machine was faster. */
export class LoopCloud implements Pick<NodeCloud, 'facts' | 'volumes' | 'attachVolume' | 'detachVolume'> {
  readonly #images = new Map<string, string>();
  readonly #devices = new Map<string, string>();
  readonly taken = new Set<string>();
  readonly attaches: string[] = [];

  async add(folder: string, member: string): Promise<string> {
    const image = join(folder, `${member}.img`);
    await writeFile(image, '');
    await truncate(image, 32 * 1024 * 1024);
    this.#images.set(member, image);
    return image;
  }

  facts = () => Promise.resolve({ instanceId: 'i-1', nodeName: 'one', address: '172.30.0.2', zone: 'z' });

  volumes = () => {
    const items = [...this.#images.keys()].map((member): CloudVolume => {
      const device = this.#devices.get(member);
      return {
        id: `vol-${member}`,
        name: `${member}.etcd-main`,
        sizeGiB: 1,
        zone: 'z',
        tags: { 'k8s.io/etcd/main': `${member}/${[...this.#images.keys()].join(',')}` },
        ...(device !== undefined && { attachedTo: { instanceId: 'i-1', address: '172.30.0.2', device } }),
      };
    });
    return Promise.resolve({ revision: String(this.attaches.length), items });
  };

  attachVolume = async (id: string) => {
    this.attaches.push(id);
    const member = id.slice('vol-'.length);
    const image = this.#images.get(member);
    if (this.taken.has(id) || image === undefined) throw new Error(`${id} is attached to i-2`);
    const { stdout } = await execa('losetup', ['--find', '--show', image]);
    this.#devices.set(member, stdout);
    return { device: stdout };
  };

  detachVolume = async (id: string) => {
    const member = id.slice('vol-'.length);
    const device = this.#devices.get(member);
    if (device !== undefined) await execa('losetup', ['--detach', device]);
    this.#devices.delete(member);
  };

  async end(): Promise<void> {
    for (const device of this.#devices.values()) await execa('losetup', ['--detach', device]);
  }
}
