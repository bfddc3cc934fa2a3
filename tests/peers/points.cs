// points PDB...   prints the id and each sequence point of portable PDBs, as System.Reflection.Metadata
//                 reads them.
// points --stacks prints what the runtime knows of frames in precompiled code of its libraries: the
//                 image, the row of the method, and offsets in native code and in IL.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection.Metadata;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

static class Points
{
	static void Pdb(string path)
	{
		using var stream = File.OpenRead(path);
		using var provider = MetadataReaderProvider.FromPortablePdbStream(stream);
		var reader = provider.GetMetadataReader();
		int row = 0;
		string id = BitConverter.ToString(reader.DebugMetadataHeader.Id.ToArray());
		Console.WriteLine(id.Replace("-", "").ToLowerInvariant());
		foreach (var handle in reader.MethodDebugInformation) {
			row++;
			foreach (var p in reader.GetMethodDebugInformation(handle).GetSequencePoints()) {
				string name = reader.GetString(reader.GetDocument(p.Document).Name);
				Console.WriteLine(p.IsHidden ? $"{row} {p.Offset} hidden" :
					$"{row} {p.Offset} {p.StartLine} {p.StartColumn} {p.EndLine} {p.EndColumn} {name}");
			}
		}
	}

	static readonly HashSet<string> seen = new HashSet<string>();

	static int Stack()
	{
		foreach (StackFrame f in new StackTrace(1, false).GetFrames()) {
			var method = f.GetMethod();
			string path = method?.Module.FullyQualifiedName;
			if (path == null || !File.Exists(path) || method.Module.Assembly == typeof(Points).Assembly)
				continue;
			// The runtime compiles many instances of generics itself.
			if (method.IsGenericMethod || method.DeclaringType == null || method.DeclaringType.IsGenericType)
				continue;
			string text = $"{path} {method.MetadataToken & 0xffffff} {f.GetNativeOffset()} {f.GetILOffset()}";
			lock (seen)
				if (seen.Add(text))
					Console.WriteLine(text);
		}
		return 1;
	}

	class Order : IComparer<int>, IEqualityComparer<int>
	{
		public int Compare(int a, int b) => Stack() * 0 + a.CompareTo(b);
		public bool Equals(int a, int b) => Stack() != 0 && a == b;
		public int GetHashCode(int a) => Stack() * 0 + a % 3;
		public override string ToString() => Stack().ToString();
	}

	static void Stacks()
	{
		var order = new Order();
		int[] some = Enumerable.Range(0, 40).Select(i => i * 37 % 40).ToArray();
		Array.Sort((int[])some.Clone(), order);
		some.OrderBy(i => i, order).ThenBy(i => -i, order).ToList();
		some.Select(i => i + Stack()).Where(i => Stack() > 0).Sum();
		some.GroupBy(i => i % 3 + Stack()).ToDictionary(g => g.Key + Stack());
		some.Aggregate((a, b) => a + b + Stack());
		new List<int>(some).ForEach(i => Stack());
		new List<int>(some).Sort(order);
		new List<int>(some).FindIndex(i => Stack() == 0);
		new Dictionary<int, int>(some.ToDictionary(i => i), order).TryGetValue(5, out _);
		new HashSet<int>(some, order).Contains(4);
		new SortedSet<int>(some, order).Remove(7);
		new Lazy<int>(Stack).Value.ToString();
		string.Join(",", order, order);
		string.Format("{0} {1}", order, order);
		string.Create(5, 1, (span, i) => Stack());
		Regex.Replace("a1b2c3", "[0-9]", m => Stack().ToString());
		Task.Run(Stack).ContinueWith(t => Stack()).Wait();
		Parallel.For(0, 4, i => Stack());
		ThreadPool.QueueUserWorkItem(_ => Stack());
		new Timer(_ => Stack(), null, 1, Timeout.Infinite);
		new Thread(() => Stack()).Start();
		Activator.CreateInstance(typeof(Made));
		typeof(Points).GetMethod("Called").Invoke(null, null);
		Array.ConvertAll(some, i => Stack());
		try {
			some.Select(i => i / (i - i)).Sum();
		} catch (DivideByZeroException) when (Stack() > 0) {
			Stack();
		}
		Later().Wait();
		Streams();
		Thread.Sleep(300);
	}

	// A stream that libraries read and write.
	class Deep : MemoryStream
	{
		public Deep(byte[] bytes = null)
		{
			if (bytes != null)
				base.Write(bytes, 0, bytes.Length);
			Position = 0;
		}

		public override int Read(byte[] to, int at, int n) => Stack() * 0 + base.Read(to, at, n);
		public override int Read(Span<byte> to) => Stack() * 0 + base.Read(to);
		public override int ReadByte() => Stack() * 0 + base.ReadByte();
		public override void Write(byte[] from, int at, int n) => base.Write(from, at, n + 0 * Stack());
		public override void Write(ReadOnlySpan<byte> from) => base.Write(from.Slice(0 * Stack()));
		public override void Flush() => Stack();
	}

	static void Streams()
	{
		var xml = System.Text.Encoding.UTF8.GetBytes("<a b='c'><d>text &amp; more</d><!-- e --></a>");
		var packed = new Deep();
		new StreamReader(new Deep(xml)).ReadLine();
		new StreamReader(new Deep(xml)).ReadToEnd();
		new StreamReader(new Deep(xml)).ReadToEndAsync().Wait();
		new BinaryReader(new Deep(xml)).ReadInt64();
		new BinaryReader(new Deep(xml)).ReadDouble();
		new BufferedStream(new Deep(xml)).ReadByte();
		new Deep(xml).CopyTo(new Deep());
		new StreamWriter(new Deep()) { AutoFlush = true }.WriteLine("line {0}", 1);
		new BinaryWriter(new Deep()).Write("text");
		using (var zip = new System.IO.Compression.GZipStream(packed, System.IO.Compression.CompressionMode.Compress, true))
			zip.Write(xml, 0, xml.Length);
		packed.Position = 0;
		new StreamReader(new System.IO.Compression.GZipStream(packed, System.IO.Compression.CompressionMode.Decompress)).ReadToEnd();
		using (var reader = System.Xml.XmlReader.Create(new Deep(xml)))
			while (reader.Read()) {
			}
		using (var writer = System.Xml.XmlWriter.Create(new Deep()))
			writer.WriteElementString("a", "b");
		System.Security.Cryptography.SHA256.Create().ComputeHash(new Deep(xml));
	}

	class Made
	{
		public Made() => Stack();
	}

	public static void Called() => Stack();

	static async Task Later()
	{
		for (int i = 0; i < 3; i++) {
			await Task.Delay(1);
			Stack();
			await Task.Yield();
			Stack();
		}
	}

	static void Main(string[] args)
	{
		if (args[0] == "--stacks")
			Stacks();
		else
			foreach (string path in args)
				Pdb(path);
	}
}
