#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

static volatile unsigned long sink;

static unsigned deep(unsigned n)
{
	if (!n)
		throw std::runtime_error("deep");
	return deep(n - 1) + 1;
}

static void exceptions()
{
	for (int i = 0; i < 500; i++)
		try {
			sink += deep(20);
		} catch (const std::exception &e) {
			sink += e.what()[0];
		}
}

static void streams()
{
	for (int i = 0; i < 5000; i++) {
		std::ostringstream o;
		o << i << ' ' << i * 1.5;
		sink += o.str().size();
	}
}

static void sorts()
{
	std::vector<std::string> v;
	std::map<std::string, unsigned> m;

	for (unsigned i = 0; i < 20000; i++)
		v.push_back(std::to_string(i * 2654435761u));
	std::sort(v.begin(), v.end(), [](const std::string &a, const std::string &b) {
		return a.size() != b.size() ? a.size() < b.size() : a < b;
	});
	for (auto &s : v)
		m[s]++;
	sink += m.size();
}

/* ROUNDS, 6 by default. */
int main(int argc, char **argv)
{
	std::function<void()> all[] = { exceptions, streams, sorts };

	for (int i = argc > 1 ? std::stoi(argv[1]) : 6; i > 0; i--)
		for (auto &f : all)
			f();
}
