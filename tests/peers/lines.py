"""Lines of a .NET service: its sources, and a check of psym's lines.

lines.py write DIR     writes the sources and projects of fixtures/lines: shop, compiled ahead of time,
                       and desk.  "dotnet publish DIR/shop -o OUT" compiles both.
lines.py check         reads the output of psym -F +srcline.  The caller of Leaf.L12 is in line 12.
"""
import os
import re
import sys

WORK = '''using System.Runtime.CompilerServices;

namespace NAME;

public static class Work
{
	const MethodImplOptions Alone = MethodImplOptions.NoInlining;

	[MethodImpl(Alone)]
	static int Loop(int n)
	{
		int sum = 0;
		for (int i = 0; i < n; i++) {
			AT(ref sum);
			if (i % 3 == 0)
				AT(ref sum);
			else
				AT(ref sum);
		}
		return sum;
	}

	[MethodImpl(Alone)]
	static int Generic<T>(T value, int n)
	{
		int sum = 0;
		while (n-- > 0) {
			AT(ref sum);
			if (value is string)
				AT(ref sum);
		}
		return sum;
	}

	class Box<T>(T value)
	{
		[MethodImpl(Alone)]
		internal int Sum(int n)
		{
			int sum = value is int ? 1 : 0;
			for (int i = 0; i < n; i++)
				AT(ref sum);
			return sum;
		}
	}

	[MethodImpl(Alone)]
	static int Guarded(int n)
	{
		int sum = 0;
		for (int i = 0; i < n; i++) {
			try {
				AT(ref sum);
				if (i % 50 == 0)
					throw new InvalidOperationException();
				AT(ref sum);
			} catch (InvalidOperationException) when (AT(ref sum) >= 0) {
				AT(ref sum);
			} finally {
				AT(ref sum);
			}
		}
		return sum;
	}

	static async Task<int> Later(int n)
	{
		int sum = 0;
		for (int i = 0; i < n; i++) {
			AT(ref sum);
			if (i % 64 == 0)
				await Task.Yield();
			AT(ref sum);
		}
		return sum;
	}

	static IEnumerable<int> Each(int n)
	{
		for (int i = 0; i < n; i++) {
			int one = i;
			AT(ref one);
			yield return one;
			AT(ref one);
			yield return one;
		}
	}

	[MethodImpl(Alone)]
	static int Lambda(int n)
	{
		Func<int, int> twice = x => {
			AT(ref x);
			return x;
		};
		int sum = 0;
		for (int i = 0; i < n; i++)
			sum += twice(i);
		return sum + Local(n);

		[MethodImpl(Alone)]
		static int Local(int n)
		{
			int sum = 0;
			for (int i = 0; i < n; i++)
				AT(ref sum);
			return sum;
		}
	}

	[MethodImpl(Alone)]
	static int Cases(int n)
	{
		int sum = 0;
		for (int i = 0; i < n; i++)
			switch (i % 4) {
			case 0:
				AT(ref sum);
				break;
			case 1:
				AT(ref sum);
				break;
			default:
				AT(ref sum);
				break;
			}
		return sum;
	}

#line 500 "made.inc"
	[MethodImpl(Alone)]
	static int Made(int n)
	{
		int sum = 0;
		for (int i = 0; i < n; i++)
			ATLINE505(ref sum);
		return sum;
	}
#line default

	[MethodImpl(Alone)]
	static int Query(int n) => Enumerable.Range(0, n).Select(x => {
		AT(ref x);
		return x;
	}).Sum();

	public static int All(int n)
	{
		int sum = Loop(n) + Generic("text", n) + Generic(1, n);
		sum += new Box<int>(1).Sum(n) + new Box<string>("b").Sum(n);
		sum += Guarded(n) + Lambda(n) + Cases(n) + Made(n) + Query(n);
		foreach (int one in Each(n))
			sum += one;
		return sum + Later(n).Result;
	}
}
'''

LEAF = '''	[MethodImpl(MethodImplOptions.NoInlining)]
	internal static int L%d(ref int to)
	{
		int sum = %d;
		for (int i = 0; i < 3000; i++)
			sum = sum * 31 + i;
		return to = sum & 0xff;
	}

'''

SHOP = '''<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>
<TargetFramework>net10.0</TargetFramework><AssemblyName>shop</AssemblyName><ImplicitUsings>enable</ImplicitUsings>
<RuntimeIdentifier>linux-x64</RuntimeIdentifier><SelfContained>false</SelfContained><UseAppHost>false</UseAppHost>
<PublishReadyToRun>true</PublishReadyToRun><Optimize>true</Optimize><DebugType>portable</DebugType>
<PathMap>$(MSBuildProjectDirectory)=/srv/app/shop</PathMap>
<SourceLink>$(MSBuildProjectDirectory)/source-link.json</SourceLink>
</PropertyGroup><ItemGroup><PublishReadyToRunExclude Include="desk.dll"/><ProjectReference Include="../desk/desk.csproj"/>
</ItemGroup></Project>
'''

DESK = '''<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>
<TargetFramework>net10.0</TargetFramework><AssemblyName>desk</AssemblyName><ImplicitUsings>enable</ImplicitUsings>
<Optimize>true</Optimize><DebugType>portable</DebugType><PathMap>$(MSBuildProjectDirectory)=/srv/app/desk</PathMap>
<EmbedAllSources>true</EmbedAllSources>
</PropertyGroup></Project>
'''

PROGRAM = '''int n = args.Length > 0 ? int.Parse(args[0]) : 1000;
int sum = 0;
while (true)
	sum += Shop.Work.All(n) + Desk.Work.All(n);
'''

# A method of the service.
OWN = r' \[(shop|desk)\] '

# The method in which a line of Work.cs is, as a part of its name.
METHODS = ['Loop(', 'Generic(', '::Sum(', 'Guarded(', '<Later>', '<Each>', '<Lambda>b__', '<Lambda>g__Local',
           'Cases(', 'Made(', '<Query>b__']


def numbered():
    """The lines of Work.cs, the number of each call of a leaf, and the method around each number."""
    lines, leaves, methods = WORK.split('\n'), [], {}
    for i, line in enumerate(lines):
        m = re.search(r'\bAT(LINE(\d+))?\b', line)
        if m:
            n = int(m[2]) if m[2] else i + 1
            leaves.append(n)
            lines[i] = line[:m.start()] + f'Leaf.L{n}' + line[m.end():]
    starts = ['static int Loop', 'static int Generic', 'internal int Sum', 'static int Guarded', 'Task<int> Later',
              'IEnumerable<int> Each', 'Func<int, int> twice', 'static int Local', 'static int Cases',
              'static int Made', 'static int Query']
    at = [next(i for i, line in enumerate(lines) if start in line) for start in starts]
    for i, line in enumerate(lines):
        m = re.search(r'Leaf[.]L(\d+)', line)
        if m:
            methods[m[1]] = METHODS[max(k for k in range(len(at)) if at[k] <= i)]
    return lines, sorted(leaves), methods


def write(folder):
    lines, leaves, _ = numbered()
    files = {'shop/shop.csproj': SHOP, 'desk/desk.csproj': DESK, 'shop/Program.cs': PROGRAM,
             'shop/source-link.json': '{"documents":{"/srv/app/shop/*":"https://example.org/shop/0123abcd/*"}}\n'}
    for name in ('shop', 'desk'):
        space = name.capitalize()
        files[f'{name}/Work.cs'] = '\n'.join(lines).replace('NAME', space)
        files[f'{name}/made.inc'] = ''.join(f'line {i}\n' for i in range(1, 601))
        files[f'{name}/Leaf.cs'] = (f'using System.Runtime.CompilerServices;\n\nnamespace {space};\n\n'
                                    'public static class Leaf\n{\n' +
                                    ''.join(LEAF % (n, n) for n in leaves) + '}\n')
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='ascii') as f:
            f.write(text)


def chains(stream):
    """Yields the frames of each sample: name, module, line or None."""
    chain = []
    for text in stream:
        text = text.rstrip('\n')
        m = re.match(r'\t *[0-9a-f]+ (.*?) \(([^()]*(?: \(deleted\))?)\)$', text)
        if m:
            chain.append((m[1], m[2], None))
        elif text.startswith('  ') and chain:
            chain[-1] = chain[-1][:2] + (text.strip(),)
        elif not text and chain:
            yield chain
            chain = []
    if chain:
        yield chain


def check(stream):
    _, _, methods = numbered()
    right, wrong, skipped = {'jit': 0, 'image': 0}, [], 0
    own, every, leaf = [0, 0], [0, 0], [0, 0]
    for chain in chains(stream):
        for i, (name, module, line) in enumerate(chain):
            if not re.search(r' \[[\w.]+\] ', name):
                continue
            every[0] += 1
            every[1] += line is not None
            if not re.search(OWN, name):
                continue
            own[0] += 1
            own[1] += line is not None
            if i == 0:
                leaf[0] += 1
                leaf[1] += line is not None
            m = re.search(r'Leaf::L(\d+)\(', name)
            if not m or i + 1 == len(chain):
                continue
            caller, where, at = chain[i + 1]
            # The first instruction of a leaf has no frame yet, so its caller is not in the chain.  Generic methods
            # of the framework have the caller's type in their names, too.
            if methods[m[1]] not in caller or not re.search(OWN, caller):
                skipped += 1
            elif at and at.rsplit(':', 1)[1] == m[1]:
                right['image' if where.endswith('.dll') else 'jit'] += 1
            else:
                wrong.append(f'{m[1]}: {chain[i + 1]}')
    print(f"{right['jit']} callers in JIT code and {right['image']} in images have the right line, {len(wrong)} "
          f'a wrong one, {skipped} are not in the chain')
    print(f'with a line: {own[1]} of {own[0]} frames of assemblies that have a PDB, {leaf[1]} of {leaf[0]} '
          f'samples in them, {every[1]} of {every[0]} managed frames')
    for text in wrong[:10]:
        print('wrong line:', text)
    return not wrong and right['jit'] + right['image'] > 50 and own[1] >= 0.95 * own[0]


if __name__ == '__main__':
    if sys.argv[1] == 'write':
        write(sys.argv[2])
    elif not check(sys.stdin):
        sys.exit(1)
